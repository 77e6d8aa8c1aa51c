import type { CaptchaScene } from '@homeport/contract'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useDialog } from '../../../ui/use-dialog.ts'
import { buttonSettings } from '../widget-settings.ts'
import { Button } from '../widgets.ts'
import styles from './Captcha.module.css'
import { CaptchaDialog } from './CaptchaDialog.tsx'

/** How a verification stands. */
export type VerifyState = 'needed' | 'asked' | 'expired' | 'done'

const types = { needed: 'default', asked: 'error', expired: 'warn', done: 'success' } as const

/** The verification button and its dialog. `asked` opens by itself: the server just refused for want of it. */
export function VerifyField(props: {
  scene: CaptchaScene
  state: VerifyState
  onTicket: (ticket: string) => void
}) {
  const { t } = useTranslation('captcha')
  const { scene, state } = props
  const { subject, frame, show } = useDialog<CaptchaScene>()
  const isDone = state === 'done'
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once for each refusal, not for each render
  useEffect(() => {
    if (state === 'asked') show(scene)
  }, [state])
  return (
    <>
      <button
        type="button"
        className={styles.bare}
        disabled={isDone}
        onClick={() => show(scene)}
        aria-haspopup="dialog"
      >
        <Button
          config={buttonSettings}
          type={types[state]}
          disabled={isDone}
          title={t(`state.${state}`)}
        />
      </button>
      {subject !== undefined && (
        <CaptchaDialog
          scene={subject}
          frame={frame}
          onTicket={ticket => {
            props.onTicket(ticket)
            frame.onCancel()
          }}
        />
      )}
    </>
  )
}
