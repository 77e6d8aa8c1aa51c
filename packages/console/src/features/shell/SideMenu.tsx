import {
  CloudServerOutlined,
  DashboardOutlined,
  GiftOutlined,
  NotificationOutlined,
  ReadOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShoppingOutlined,
  TeamOutlined,
  UserAddOutlined,
} from '@ant-design/icons'
import type { Profile } from '@homeport/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { TitleKey } from '../../app/titles.ts'
import { hasProductPermission } from '../sign-in/api/profile.ts'
import { useSettings } from '../site/api/settings.ts'
import { buildMenu } from './menu.ts'
import styles from './SideMenu.module.css'

const icons: Partial<Record<TitleKey, ReactNode>> = {
  statistics: <DashboardOutlined />,
  devices: <CloudServerOutlined />,
  buy: <ShoppingOutlined />,
  invite: <UserAddOutlined />,
  productos: <GiftOutlined />,
  staff: <SettingOutlined />,
  announcements: <NotificationOutlined />,
  record: <SafetyCertificateOutlined />,
  playersare: <TeamOutlined />,
  tutorial: <ReadOutlined />,
}

/** The way to every page. `onGo` is told when an entry was taken. */
export function SideMenu(props: { profile: Profile; onGo?: () => void }) {
  const { t } = useTranslation()
  const settings = useSettings()
  const groups = buildMenu({
    isStaff: props.profile.is_staff,
    hasProductPermission: hasProductPermission(props.profile),
    billing: settings?.billing ?? true,
  })
  return (
    <nav className={styles.menu} aria-label={t('menu.label')}>
      {groups.map(({ heading, entries }) => (
        <div key={heading ?? 'main'}>
          {heading !== undefined && <h2 className={styles.heading}>{t(`menu.${heading}`)}</h2>}
          <ul className={styles.list}>
            {entries.map(({ title, to }) => (
              <li key={to}>
                <NavLink className={styles.entry ?? ''} to={to} onClick={() => props.onGo?.()}>
                  <span className={styles.icon} aria-hidden>
                    {icons[title]}
                  </span>
                  {t(`titles.${title}`)}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
