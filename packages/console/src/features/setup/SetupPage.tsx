import { CheckCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { useAddressSecret } from '../../ui/use-address-secret.ts'
import { useSettings } from '../site/api/settings.ts'
import { SetupForm } from './components/SetupForm.tsx'

/** The first start's one-time link: makes the administrator. */
export function Component() {
  const { t } = useTranslation('setup')
  const settings = useSettings()
  const code = useAddressSecret('code')
  const [isInvalid, setInvalid] = useState(false)

  // As it was when the page opened: making the administrator ends `needs_setup` before the page is left.
  const [wasSetUp] = useState(settings?.needs_setup === false)

  if (wasSetUp) return <AlreadySetUp />
  if (code === '' || isInvalid) return <InvalidCode />
  return (
    <LonePage title={t('title')} detail={t('detail')}>
      <SetupForm code={code} onInvalidCode={() => setInvalid(true)} />
    </LonePage>
  )
}

function InvalidCode() {
  const { t } = useTranslation('setup')
  return (
    <LonePage>
      <StateCard
        role="alert"
        tone="danger"
        icon={<DisconnectOutlined />}
        title={t('invalid')}
        detail={t('invalidDetail')}
        actions={<ToSignIn />}
      />
    </LonePage>
  )
}

function AlreadySetUp() {
  const { t } = useTranslation('setup')
  return (
    <LonePage>
      <StateCard
        icon={<CheckCircleOutlined />}
        title={t('done')}
        detail={t('doneDetail')}
        actions={<ToSignIn />}
      />
    </LonePage>
  )
}

function ToSignIn() {
  const { t } = useTranslation()
  return (
    <LinkButton to={paths.login} type="primary">
      {t('action.signIn')}
    </LinkButton>
  )
}
