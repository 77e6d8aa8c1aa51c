import { Card } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { PasskeysPanel } from '../second-factor/components/PasskeysPanel.tsx'
import { TwoStepPanel } from '../second-factor/components/TwoStepPanel.tsx'
import { useProfile } from '../sign-in/api/profile.ts'
import { TokenPanel } from '../token/components/TokenPanel.tsx'
import styles from './components/Account.module.css'
import { LaterPanel } from './components/LaterPanel.tsx'
import { PasswordForm } from './components/PasswordForm.tsx'
import { ProfileForm } from './components/ProfileForm.tsx'
import { SessionsPanel } from './components/SessionsPanel.tsx'
import { TermsPanel } from './components/TermsPanel.tsx'

/** 个人信息: everything about the own account. */
export function Component() {
  const { t } = useTranslation(['account', 'second-factor'])
  const profile = useProfile()
  // Undefined only for the moment between losing the session and the guard's answer.
  if (profile === undefined) return <PageSkeleton />
  return (
    <div className="page">
      <PageHeader title={t('title')} />
      <Suspense fallback={<PageSkeleton />}>
        <div className={styles.panels}>
          <Panel title={t('profile.title')}>
            <ProfileForm profile={profile} />
          </Panel>
          <Panel title={t('password.title')} detail={t('password.detail')}>
            <PasswordForm username={profile.username} />
          </Panel>
          <Panel
            title={t('second-factor:twoStep.title')}
            detail={t('second-factor:twoStep.detail')}
          >
            <TwoStepPanel />
          </Panel>
          <Panel
            title={t('second-factor:passkeys.title')}
            detail={t('second-factor:passkeys.detail')}
          >
            <PasskeysPanel />
          </Panel>
          <Panel title={t('token.title')}>
            <TokenPanel profile={profile} />
          </Panel>
          <Panel title={t('sessions.title')} detail={t('sessions.detail')}>
            <SessionsPanel />
          </Panel>
          <Panel title={t('terms.title')}>
            <TermsPanel profile={profile} />
          </Panel>
          <Panel title={t('later.title')}>
            <LaterPanel />
          </Panel>
        </div>
      </Suspense>
    </div>
  )
}

function Panel(props: { title: string; detail?: string; children: ReactNode }) {
  return (
    <Card>
      <h2 className={styles.title}>{props.title}</h2>
      {props.detail !== undefined && <p className={styles.detail}>{props.detail}</p>}
      {props.children}
    </Card>
  )
}
