import { Card } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../ui/lazy-part.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { EmailPanel } from '../email/components/EmailPanel.tsx'
import { ExportPanel } from '../leaving/components/ExportPanel.tsx'
import { LeavePanel } from '../leaving/components/LeavePanel.tsx'
import { OutboxLink } from '../outbox/components/OutboxLink.tsx'
import { PhonePanel } from '../phone/components/PhonePanel.tsx'
import { PasskeysPanel } from '../second-factor/components/PasskeysPanel.tsx'
import { TwoStepPanel } from '../second-factor/components/TwoStepPanel.tsx'
import { useProfile } from '../sign-in/api/profile.ts'
import { TokenPanel } from '../token/components/TokenPanel.tsx'
import styles from './components/Account.module.css'
import { PasswordForm } from './components/PasswordForm.tsx'
import { ProfileForm } from './components/ProfileForm.tsx'
import { SectionNav } from './components/SectionNav.tsx'
import { SessionsPanel } from './components/SessionsPanel.tsx'
import { TermsPanel } from './components/TermsPanel.tsx'

const IdentitiesPanel = lazyPart(
  async () => (await import('../sso/components/IdentitiesPanel.tsx')).IdentitiesPanel,
)

/** 个人信息: everything about the own account. */
export function Component() {
  const { t } = useTranslation(['account', 'email', 'phone', 'second-factor', 'sso', 'leaving'])
  const profile = useProfile()
  // Undefined only for the moment between losing the session and the guard's answer.
  if (profile === undefined) return <PageSkeleton />
  // Each column stands by itself: panels differ too much in height to share rows.
  const who: Section[] = [
    { id: 'profile', title: t('profile.title'), content: <ProfileForm profile={profile} /> },
    {
      id: 'email',
      title: t('email:title'),
      detail: t('email:detail'),
      content: <EmailPanel profile={profile} />,
    },
    {
      id: 'phone',
      title: t('phone:panel.title'),
      detail: t('phone:panel.detail'),
      content: <PhonePanel profile={profile} />,
    },
    {
      id: 'identities',
      title: t('sso:identities.title'),
      detail: t('sso:identities.detail'),
      content: (
        <Suspense>
          <IdentitiesPanel />
        </Suspense>
      ),
    },
    { id: 'token', title: t('token.title'), content: <TokenPanel profile={profile} /> },
    { id: 'terms', title: t('terms.title'), content: <TermsPanel profile={profile} /> },
  ]
  const safety: Section[] = [
    {
      id: 'password',
      title: t('password.title'),
      detail: t(profile.has_password ? 'password.detail' : 'password.firstDetail'),
      content: (
        <PasswordForm
          username={profile.username}
          isFirst={!profile.has_password}
          about={[profile.username, profile.email, profile.phone_number]}
        />
      ),
    },
    {
      id: 'two-step',
      title: t('second-factor:twoStep.title'),
      detail: t('second-factor:twoStep.detail'),
      content: <TwoStepPanel />,
    },
    {
      id: 'passkeys',
      title: t('second-factor:passkeys.title'),
      detail: t('second-factor:passkeys.detail'),
      content: <PasskeysPanel />,
    },
    {
      id: 'sessions',
      title: t('sessions.title'),
      detail: t('sessions.detail'),
      content: <SessionsPanel />,
    },
    {
      id: 'export',
      title: t('leaving:export.title'),
      detail: t('leaving:export.detail'),
      content: <ExportPanel />,
    },
    {
      id: 'leave',
      title: t('leaving:leave.title'),
      detail: t('leaving:leave.detail'),
      content: <LeavePanel profile={profile} />,
    },
  ]
  return (
    <div className="page">
      <PageHeader title={t('title')} />
      <SectionNav sections={[...who, ...safety]} />
      <Suspense fallback={<PageSkeleton />}>
        <div className={styles.panels}>
          {[who, safety].map(column => (
            <div key={column[0]?.id} className={styles.column}>
              {column.map(section => (
                <Panel key={section.id} {...section} />
              ))}
            </div>
          ))}
        </div>
        <OutboxLink />
      </Suspense>
    </div>
  )
}

interface Section {
  id: string
  title: string
  detail?: string
  content: ReactNode
}

function Panel({ id, title, detail, content }: Section) {
  return (
    <Card>
      <h2 id={id} tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      {content}
    </Card>
  )
}
