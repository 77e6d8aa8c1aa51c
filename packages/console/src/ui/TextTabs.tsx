import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './TextTabs.module.css'

/** One tab. Its panel is made anew each time it is chosen. */
export interface TextTab<Name extends string> {
  name: Name
  label: string
  panel: ReactNode
}

/**
 * Tabs of a page that every visitor loads, where antd's would weigh too much (WAI-ARIA: arrows, Home and End choose). One
 * tab alone is no choice, so its panel is all there is.
 */
export function TextTabs<Name extends string>(props: {
  label: string
  tabs: readonly TextTab<Name>[]
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { tabs, chosen, onChoose } = props
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  )
  const panel = tabs[at]?.panel
  if (tabs.length < 2) return panel

  const goTo = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const to = places[event.key]
    if (to === undefined) return
    event.preventDefault()
    const place = to % tabs.length
    const next = tabs[place]
    if (next !== undefined) onChoose(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[place]?.focus()
  }
  return (
    <>
      <div
        ref={list}
        className={styles.tabs}
        role="tablist"
        aria-label={props.label}
        onKeyDown={goTo}
      >
        {tabs.map(({ name, label }, index) => (
          <button
            key={name}
            id={`${id}-${name}`}
            className={styles.tab}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tabs[at]?.name}`}>
        {panel}
      </div>
    </>
  )
}
