import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useMatches, useNavigation } from 'react-router'
import { AnnouncementsHost } from '../features/announcements/components/AnnouncementsHost.tsx'
import { findTitle, formatTitle } from './titles.ts'

/** Around every page: the title, the bar that shows a page is on its way, the announcements. */
export function RootLayout() {
  const { t } = useTranslation()
  const { state } = useNavigation()
  const key = findTitle(useMatches().map(match => match.handle))
  const title = formatTitle(key === undefined ? undefined : t(`titles.${key}`))
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <AnnouncementsHost>
      {state === 'loading' && (
        <div className="navigating" role="progressbar" aria-label={t('loading')} />
      )}
      <Outlet />
    </AnnouncementsHost>
  )
}
