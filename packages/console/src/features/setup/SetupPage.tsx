import { CheckCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { useSettings } from '../site/api/settings.ts'
import { SetupForm } from './components/SetupForm.tsx'

/** The first start's one-time link: makes the administrator. */
export function Component() {
  const { t } = useTranslation('setup')
  const settings = useSettings()
  const { code, isInvalid, reject } = useSetupCode()

  // As it was when the page opened: making the administrator ends `needs_setup` before the page is left.
  const [wasSetUp] = useState(settings?.needs_setup === false)

  if (wasSetUp) return <AlreadySetUp />
  if (code === '' || isInvalid) return <InvalidCode />
  return (
    <LonePage title={t('title')} detail={t('detail')}>
      <SetupForm code={code} onInvalidCode={reject} />
    </LonePage>
  )
}

/** Takes the code out of the address bar and the history at once: whoever sees the screen must not see it. */
function useSetupCode() {
  const [query, setQuery] = useSearchParams()
  const [code] = useState(() => query.get('code') ?? '')
  const [isInvalid, setInvalid] = useState(false)
  const isInAddress = query.has('code')
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true })
  }, [isInAddress, setQuery])
  return { code, isInvalid, reject: () => setInvalid(true) }
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
