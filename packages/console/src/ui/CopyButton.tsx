import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button, type ButtonProps } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeClipboard } from './clipboard.ts'

const confirmationMs = 2000

/** Puts text on the clipboard and says so, in words for screen readers too. `label` names what is copied. */
export function CopyButton(
  props: Pick<ButtonProps, 'type' | 'size' | 'block' | 'disabled'> & {
    text: string
    label?: string
    /** Show the picture alone; the label is then read out. */
    iconOnly?: boolean
  },
) {
  const { t } = useTranslation()
  const { text, label = t('action.copy'), iconOnly = false, ...look } = props
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), confirmationMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async () => setOutcome((await writeClipboard(text)) ? 'copied' : 'failed')
  const said =
    outcome === undefined ? '' : t(outcome === 'copied' ? 'action.copied' : 'action.copyFailed')
  return (
    <>
      <Button
        {...look}
        icon={outcome === 'copied' ? <CheckOutlined /> : <CopyOutlined />}
        danger={outcome === 'failed'}
        title={said === '' ? label : said}
        aria-label={label}
        onClick={copy}
      >
        {iconOnly ? null : said === '' ? label : said}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </>
  )
}
