import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { canUsePasskeys } from '../../second-factor/can-use-passkeys.ts'
import { useEnter } from '../use-enter.ts'

/** Signs in with a passkey; nothing where the browser has none to offer. Its code is loaded when it is pressed. */
export function PasskeyButton() {
  const { t } = useTranslation('sign-in')
  const errorText = useErrorText()
  const enter = useEnter()
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ tone: 'error' | 'info'; text: string }>()
  if (!canUsePasskeys()) return null

  const signIn = async () => {
    setBusy(true)
    setSaid(undefined)
    try {
      const { signInByPasskey } = await import('../../second-factor/api/sign-in-with-passkey.ts')
      await signInByPasskey()
      await enter()
    } catch (error) {
      const hasEnded = error instanceof Error && error.name === 'CeremonyEnded'
      setSaid(
        hasEnded
          ? { tone: 'info', text: t('passkey.ended') }
          : { tone: 'error', text: errorText(error) },
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <div style={{ marginTop: 12 }}>
      <Button size="large" block loading={isBusy} onClick={signIn}>
        {t('passkey.button')}
      </Button>
      <div aria-live="polite">
        {said !== undefined && <Notice tone={said.tone}>{said.text}</Notice>}
      </div>
    </div>
  )
}
