import type { Settings } from '@homeport/contract'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/i18n.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { TextTabs } from '../../../ui/TextTabs.tsx'
import { useSettings } from '../../site/api/settings.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { PasswordForm } from './PasswordForm.tsx'

const SsoPanel = lazyPart(async () => {
  const [part] = await Promise.all([import('../../sso/components/SsoPanel.tsx'), loadTexts('sso')])
  return part.SsoPanel
})

type Way = Settings['sign_in'][number]

interface WaysProps {
  /** The name to begin with. */
  account?: string | undefined
  onForgotten: () => void
}

const PhoneForm = lazyPart(async () => {
  const [part] = await Promise.all([
    import('../../phone/components/PhoneForm.tsx'),
    loadTexts('phone'),
  ])
  return part.PhoneForm
})

// In the order of the tabs. Every way but the first comes as a part of its own: the first load stays small.
const panels: Partial<Record<Way, (props: WaysProps) => ReactNode>> = {
  password: props => (
    <>
      <PasswordForm {...props} />
      <PasskeyButton />
    </>
  ),
  phone: () => <PhoneForm />,
  sso: () => <SsoPanel />,
}

/** A tab for each way in that the settings allow; without settings the password, which is always one. */
export function SignInWays(props: WaysProps) {
  const { t } = useTranslation('sign-in')
  const settings = useSettings()
  const allowed = settings?.sign_in ?? ['password']
  const hasServices = settings?.sso.providers.some(({ way }) => way === 'redirect') ?? false
  const [chosen, setChosen] = useState<Way>('password')
  const tabs = (Object.keys(panels) as Way[])
    .filter(name => allowed.includes(name))
    .map(name => ({
      name,
      label: t(name === 'sso' && hasServices ? 'ways.services' : `ways.${name}`),
      panel: <Suspense key={name}>{panels[name]?.(props)}</Suspense>,
    }))
  return <TextTabs label={t('ways.label')} tabs={tabs} chosen={chosen} onChoose={setChosen} />
}
