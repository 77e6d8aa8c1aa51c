import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { passkeysQuery } from '../../second-factor/api/passkeys.ts'
import { canUsePasskeys } from '../../second-factor/can-use-passkeys.ts'
import { confirmPasskey } from '../api/confirm.ts'

/** The way by passkey, where the account has one that this browser can ask for. */
export function PasskeyConfirmation(props: { isOnly: boolean; onConfirmed: () => void }) {
  const { t } = useTranslation('reauthenticate')
  const errorText = useErrorText()
  const { data: passkeys = [] } = useQuery(passkeysQuery)
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ tone: 'error' | 'info'; text: string }>()
  if (passkeys.length === 0 || !canUsePasskeys()) return null

  const confirm = async () => {
    setBusy(true)
    setSaid(undefined)
    try {
      await confirmPasskey()
      props.onConfirmed()
    } catch (error) {
      const hasEnded = error instanceof Error && error.name === 'CeremonyEnded'
      setSaid(
        hasEnded
          ? { tone: 'info', text: t('passkeyEnded') }
          : { tone: 'error', text: errorText(error) },
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button block type={props.isOnly ? 'primary' : 'default'} loading={isBusy} onClick={confirm}>
        {t('passkey')}
      </Button>
      <div aria-live="polite" style={{ marginTop: 12 }}>
        {said !== undefined && <Notice tone={said.tone}>{said.text}</Notice>}
      </div>
    </>
  )
}
