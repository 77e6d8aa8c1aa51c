import { BellOutlined, CopyOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import type { Profile } from '@homeport/contract'
import { App, Badge, Button, Dropdown, Grid, type MenuProps } from 'antd'
import { type ReactNode, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { Brand } from '../../ui/Brand.tsx'
import { writeClipboard } from '../../ui/clipboard.ts'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { useAnnouncing } from '../announcements/components/AnnouncementsHost.tsx'
import { HeaderToken, MaskedToken } from '../token/HeaderToken.tsx'
import styles from './HomeShell.module.css'

/** The header: brand, announcements, token, language, account. `opener` is the phone's menu button. */
export function ShellHeader(props: { profile: Profile; opener: ReactNode; onSignOut: () => void }) {
  const isPhone = useIsPhone()
  return (
    <header className={styles.header}>
      {props.opener}
      <Brand isTight />
      <div className={styles.tools}>
        {!isPhone && <HeaderToken />}
        <AnnouncementsEntry />
        <LanguageSwitch compact />
        <AccountMenu profile={props.profile} onSignOut={props.onSignOut} />
      </div>
    </header>
  )
}

/** True where the header has no room for the token: there it is in the account menu. */
const useIsPhone = () => Grid.useBreakpoint().md === false

function AnnouncementsEntry() {
  const { t } = useTranslation('announcements')
  const navigate = useNavigate()
  const { open, hasRows, hasUnread } = useAnnouncing()
  const label = t(hasUnread ? 'entryUnread' : 'entry')
  return (
    <Button
      type="text"
      aria-label={label}
      title={label}
      icon={
        <Badge dot={hasUnread} offset={[-2, 2]}>
          <BellOutlined />
        </Badge>
      }
      onClick={() => (hasRows ? open() : navigate(paths.announcements))}
    />
  )
}

function AccountMenu(props: { profile: Profile; onSignOut: () => void }) {
  const { t } = useTranslation()
  const { message } = App.useApp()
  const opener = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const copyToken = async () => {
    if (await writeClipboard(props.profile.token)) message.success(t('action.copied'))
    else message.error(t('action.copyFailed'))
  }
  const tokenEntry = {
    key: 'token',
    icon: <CopyOutlined />,
    label: (
      <Suspense>
        <MaskedToken />
      </Suspense>
    ),
    onClick: copyToken,
  }
  const items: MenuProps['items'] = [
    ...(isPhone ? [tokenEntry] : []),
    {
      key: 'info',
      icon: <UserOutlined />,
      label: t('titles.userInfo'),
      onClick: () => navigate(paths.userInfo),
    },
    { type: 'divider' },
    {
      key: 'sign-out',
      icon: <LogoutOutlined />,
      label: t('action.signOut'),
      onClick: props.onSignOut,
    },
  ]
  return (
    <Dropdown
      menu={{ items }}
      autoFocus
      onOpenChange={isOpen => {
        if (!isOpen) returnFocus(opener.current)
      }}
      trigger={['click']}
      placement="bottomRight"
    >
      <Button
        ref={opener}
        type="text"
        icon={<UserOutlined />}
        aria-label={t('menu.account')}
        aria-haspopup="menu"
      >
        <span className={styles.name}>{props.profile.username}</span>
      </Button>
    </Dropdown>
  )
}

/** Back to the opener from a menu that closes; somebody who pressed elsewhere already has the focus there. */
function returnFocus(opener: HTMLElement | null) {
  const held = document.activeElement
  if (held === document.body || held?.closest('[role="menu"]')) opener?.focus()
}
