import { BellOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import type { Profile } from '@homeport/contract'
import { Badge, Button, Dropdown, type MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { Brand } from '../../ui/Brand.tsx'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { useAnnouncing } from '../announcements/components/AnnouncementsHost.tsx'
import { HeaderToken } from '../token/HeaderToken.tsx'
import styles from './HomeShell.module.css'

/** The header: brand, announcements, token, language, account. `opener` is the phone's menu button. */
export function ShellHeader(props: { profile: Profile; opener: ReactNode; onSignOut: () => void }) {
  return (
    <header className={styles.header}>
      {props.opener}
      <Brand isTight />
      <div className={styles.tools}>
        <HeaderToken />
        <AnnouncementsEntry />
        <LanguageSwitch compact />
        <AccountMenu profile={props.profile} onSignOut={props.onSignOut} />
      </div>
    </header>
  )
}

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
  const navigate = useNavigate()
  const items: MenuProps['items'] = [
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
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button
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
