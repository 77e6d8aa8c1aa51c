import type { Settings } from '@homeport/contract'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LonePage } from '../../../ui/LonePage.tsx'
import { TextTabs } from '../../../ui/TextTabs.tsx'
import { OutboxLink } from '../../outbox/components/OutboxLink.tsx'
import { ResetByPhone } from '../../phone/components/ResetByPhone.tsx'
import { useSettings } from '../../site/api/settings.ts'
import { ResetByMail } from './ResetByMail.tsx'

type Way = Settings['password_reset'][number]

/** The page for whoever forgot the password, a tab for each way; `onDone` is told the username to sign in with. */
export function ForgottenPassword(props: {
  onDone: (username: string) => void
  onBack: () => void
}) {
  const { t } = useTranslation(['recovery', 'sign-in'])
  const ways = useSettings()?.password_reset ?? []
  const [chosen, setChosen] = useState<Way>('phone')
  const panels: Record<Way, ReactNode> = {
    phone: <ResetByPhone onDone={props.onDone} />,
    mail: <ResetByMail />,
  }
  const tabs = ways.map(name => ({ name, label: t(`ways.${name}`), panel: panels[name] }))
  return (
    <LonePage title={t('title')} detail={t('detail')}>
      <TextTabs label={t('ways.label')} tabs={tabs} chosen={chosen} onChoose={setChosen} />
      <Button type="link" block onClick={props.onBack}>
        {t('sign-in:toSignInAgain')}
      </Button>
      <OutboxLink />
    </LonePage>
  )
}
