import { CallError, type CaptchaScene, type SmsScene } from '@homeport/contract'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/i18n.ts'
import { isAborted, useErrorText } from '../../../ui/describe-error.ts'
import { TextField } from '../../../ui/fields.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useCountdown } from '../../../ui/use-countdown.ts'
import { useDialog } from '../../../ui/use-dialog.ts'
import type { FieldBinding } from '../../../ui/use-fields.ts'
import { sendSms } from '../api/phone.ts'
import styles from './Phone.module.css'

const CaptchaDialog = lazyPart(async () => {
  const [part] = await Promise.all([
    import('../../captcha/components/CaptchaDialog.tsx'),
    loadTexts('captcha'),
  ])
  return part.CaptchaDialog
})

/** The longest wait that the button counts down, s: after a day's last message nobody watches it. */
const mostWaitSeconds = 60

type Send = typeof sendSms

interface CodeFieldProps {
  label: string
  field: FieldBinding
  scene: SmsScene
  /** The captcha before each message; none for messages to the own number. */
  captcha?: CaptchaScene
  /** The number to send to; undefined where it is not one yet (its field says why). Absent for the own number. */
  readPhone?: () => string | undefined
  /** Sends in another way than plainly. */
  send?: Send
  autoFocus?: boolean
}

/** A field for the code of a text message, and the button that has it sent. */
export function CodeField(props: CodeFieldProps) {
  const { t } = useTranslation('phone')
  const errorText = useErrorText()
  const { secondsLeft, start } = useCountdown()
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ tone: 'info' | 'error'; text: string }>()
  const dialog = useDialog<{ scene: CaptchaScene; phone: string | undefined }>()
  const { scene, captcha, send = sendSms } = props

  const request = async (phone: string | undefined, ticket?: string) => {
    setBusy(true)
    setSaid(undefined)
    try {
      const answer = await send({
        scene,
        ...(phone === undefined ? {} : { phone }),
        ...(ticket === undefined ? {} : { captcha_ticket: ticket }),
      })
      start(answer.resend_after_seconds)
      setSaid({ tone: 'info', text: t('sent') })
    } catch (error) {
      if (isAborted(error)) return
      const isLimited = error instanceof CallError && error.code === 'rate_limited'
      if (isLimited) start(Math.min(error.retryAfterSeconds ?? mostWaitSeconds, mostWaitSeconds))
      setSaid({ tone: 'error', text: errorText(error) })
    } finally {
      setBusy(false)
    }
  }

  const begin = () => {
    const phone = props.readPhone?.()
    if (props.readPhone !== undefined && phone === undefined) return
    if (captcha === undefined) void request(phone)
    else dialog.show({ scene: captcha, phone })
  }
  return (
    <>
      <TextField
        label={props.label}
        field={props.field}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        autoFocus={props.autoFocus ?? false}
      >
        <button
          className={styles.send}
          type="button"
          disabled={isBusy || secondsLeft > 0}
          onClick={begin}
        >
          {secondsLeft > 0 ? t('again', { seconds: secondsLeft }) : t('send')}
        </button>
      </TextField>
      <p className={styles.said} role="status" data-tone={said?.tone}>
        {said?.text}
      </p>
      {dialog.subject !== undefined && (
        <Suspense>
          <CaptchaDialog
            scene={dialog.subject.scene}
            frame={dialog.frame}
            onTicket={ticket => {
              dialog.frame.onCancel()
              void request(dialog.subject?.phone, ticket)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
