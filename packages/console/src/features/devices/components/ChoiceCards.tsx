import { Radio } from 'antd'
import type { ReactNode } from 'react'
import styles from './ChoiceCards.module.css'

/** One choice: its name, what it means, and a small mark. */
export interface Choice<Value extends string> {
  value: Value
  label: string
  detail?: ReactNode
  badge?: ReactNode
}

/** A few choices that deserve a sentence each; one may be picked. Works as a form control. */
export function ChoiceCards<Value extends string>(props: {
  choices: readonly Choice<Value>[]
  label: string
  value?: Value
  onChange?: (value: Value) => void
  disabled?: boolean
  id?: string
}) {
  return (
    <Radio.Group
      {...(props.id === undefined ? {} : { id: props.id })}
      className={styles.choices ?? ''}
      aria-label={props.label}
      value={props.value}
      disabled={props.disabled ?? false}
      onChange={event => props.onChange?.(event.target.value as Value)}
    >
      {props.choices.map(choice => (
        <Radio key={choice.value} value={choice.value} className={styles.choice ?? ''}>
          <span className={styles.label}>
            {choice.label} {choice.badge}
          </span>
          {choice.detail !== undefined && <span className={styles.detail}>{choice.detail}</span>}
        </Radio>
      ))}
    </Radio.Group>
  )
}
