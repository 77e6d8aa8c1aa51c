import { MenuOutlined } from '@ant-design/icons'
import type { Profile } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Drawer, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useRevalidator } from 'react-router'
import { useLiveEvents } from '../../app/use-live-events.ts'
import { loadTexts } from '../../i18n/i18n.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ReauthenticateProvider } from '../../ui/Reauthenticate.tsx'
import { isSignedIn, profileQuery } from '../sign-in/api/profile.ts'
import { useSignOut } from '../sign-in/use-sign-out.ts'
import styles from './HomeShell.module.css'
import { ShellHeader } from './ShellHeader.tsx'
import { SideMenu } from './SideMenu.tsx'

const mainId = 'main'

const ReauthenticateDialog = lazyPart(async () => {
  const [part] = await Promise.all([
    import('../reauthenticate/components/ReauthenticateDialog.tsx'),
    loadTexts('reauthenticate'),
    loadTexts('phone'),
  ])
  return part.ReauthenticateDialog
})

/** The frame of everything behind the sign-in. A session that ended elsewhere runs the guard again. */
export function Component() {
  const { data: profile } = useQuery(profileQuery)
  const { revalidate } = useRevalidator()
  const isGone = profile === null
  useEffect(() => {
    if (isGone) void revalidate()
  }, [isGone, revalidate])
  return isSignedIn(profile) ? <Shell profile={profile} /> : null
}

function Shell({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { isSigningOut, start: startSignOut } = useSignOut()
  useLiveEvents()
  useFocusOnNewPage()

  const opener = (
    <Button
      className={styles.opener ?? ''}
      type="text"
      icon={<MenuOutlined />}
      aria-label={t('menu.open')}
      aria-expanded={isMenuOpen}
      onClick={() => setMenuOpen(true)}
    />
  )
  return (
    <App>
      <ReauthenticateProvider Dialog={ReauthenticateDialog}>
        <div className={styles.shell}>
          <SkipLink />
          <ShellHeader profile={profile} opener={opener} onSignOut={startSignOut} />
          <aside className={styles.side}>
            <SideMenu profile={profile} />
          </aside>
          <main id={mainId} className={styles.main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <Drawer
          open={isMenuOpen}
          placement="left"
          size={264}
          title={t('brand')}
          styles={{ body: { padding: 8 } }}
          onClose={() => setMenuOpen(false)}
        >
          <SideMenu profile={profile} onGo={() => setMenuOpen(false)} />
        </Drawer>
        {isSigningOut && (
          <div className={styles.leaving} role="status">
            <Spin size="large" />
            {t('action.signingOut')}
          </div>
        )}
      </ReauthenticateProvider>
    </App>
  )
}

/**
 * A new page may have taken the focused element away: the keyboard then goes on at its beginning. Not where the shell is
 * loaded, for which `/` is only the way to a page: there the keyboard begins at the top, with the link past the menu.
 */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)
  useEffect(() => {
    const before = shownPath.current
    shownPath.current = pathname
    if (before === pathname || before === paths.home) return
    if (document.activeElement !== document.body) return
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [pathname])
}

/** For the keyboard: past the menu. Not a plain link, because the address behind `#` is the router's. */
function SkipLink() {
  const { t } = useTranslation()
  return (
    <a
      className={styles.skip}
      href={`#${mainId}`}
      onClick={event => {
        event.preventDefault()
        document.getElementById(mainId)?.focus()
      }}
    >
      {t('menu.skip')}
    </a>
  )
}
