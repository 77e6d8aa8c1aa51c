import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createHashRouter, Navigate, type RouteObject, replace } from 'react-router'
import { loadTexts } from '../i18n/i18n.ts'
import { paths } from '../paths.ts'
import { createGuardLoader } from './guard-loader.ts'
import { RootLayout } from './RootLayout.tsx'
import { HomePageFailure, RouteFailure } from './RouteFailure.tsx'
import { StartingPage } from './StartingPage.tsx'
import type { RouteHandle, TitleKey } from './titles.ts'

type PageModule = { Component: ComponentType }

/** A lazily loaded page; its texts come with it, so that it does not wait for them once more. */
function page(path: string, title: TitleKey, load: () => Promise<PageModule>, texts: string) {
  const handle: RouteHandle = { title }
  const loadPage = async () => (await Promise.all([load(), loadTexts(texts)]))[0].Component
  return { path, handle, lazy: { Component: loadPage } } satisfies RouteObject
}

type LaterPages = typeof import('../features/later/pages.tsx')

/** A page of later work. */
const later = (path: string, title: TitleKey, name: keyof LaterPages) =>
  page(
    path,
    title,
    async () => ({ Component: (await import('../features/later/pages.tsx'))[name] }),
    'later',
  )

const loadShell = async () => (await import('../features/shell/HomeShell.tsx')).Component

const homePages: RouteObject[] = [
  page('devices', 'devices', () => import('../features/devices/DevicesPage.tsx'), 'devices'),
  page(
    'devices/:id/:tab',
    'devices',
    () => import('../features/devices/DevicePage.tsx'),
    'devices',
  ),
  page('bind', 'bind', () => import('../features/bind/BindPage.tsx'), 'bind'),
  page('user/info', 'userInfo', () => import('../features/account/AccountPage.tsx'), 'account'),
  page(
    'announcements',
    'announcements',
    () => import('../features/announcements/AnnouncementsPage.tsx'),
    'announcements',
  ),
  later('statistics', 'statistics', 'StatisticsPage'),
  later('playersare', 'playersare', 'PlayersPage'),
  later('productos', 'productos', 'CodesPage'),
  later('record', 'record', 'VerificationsPage'),
  later('invite', 'invite', 'InvitePage'),
  later('buy', 'buy', 'BuyPage'),
  later('tutorial', 'tutorial', 'TutorialPage'),
  page('staff/*', 'staff', () => import('../features/staff/StaffPage.tsx'), 'staff'),
]

/** Every route of the console (client.md section 2); made only after start-up, so that guards find the profile. */
export function createAppRouter(queryClient: QueryClient) {
  const guard = (route: 'login' | 'home' | 'errorport') => createGuardLoader(queryClient, route)
  const pages: RouteObject[] = [
    page(paths.check, 'check', () => import('../features/sign-in/CheckPage.tsx'), 'sign-in'),
    {
      ...page(paths.login, 'login', () => import('../features/sign-in/LoginPage.tsx'), 'sign-in'),
      loader: guard('login'),
    },
    page(paths.setup, 'setup', () => import('../features/setup/SetupPage.tsx'), 'setup'),
    {
      ...page(
        paths.errorport,
        'errorport',
        () => import('../features/errorport/ErrorportPage.tsx'),
        'errorport',
      ),
      loader: guard('errorport'),
    },
    {
      path: paths.home,
      loader: guard('home'),
      lazy: { Component: loadShell },
      children: [
        // An element and not a loader: it must not run before the shell's guard has seen the query.
        { index: true, element: <Navigate to={paths.devices} replace /> },
        { ErrorBoundary: HomePageFailure, children: homePages },
      ],
    },
    { path: '*', loader: () => replace(paths.home) },
  ]
  return createHashRouter([
    {
      Component: RootLayout,
      HydrateFallback: StartingPage,
      ErrorBoundary: RouteFailure,
      children: [{ ErrorBoundary: RouteFailure, children: pages }],
    },
  ])
}
