import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createHashRouter, type LoaderFunctionArgs, type RouteObject, replace } from 'react-router'
import { loadTexts } from '../i18n/i18n.ts'
import { paths } from '../paths.ts'
import type { GuardedRoute } from './guard.ts'
import { createGuardLoader } from './guard-loader.ts'
import { RootLayout } from './RootLayout.tsx'
import { HomePageFailure, RouteFailure } from './RouteFailure.tsx'
import { StartingPage } from './StartingPage.tsx'
import type { RouteHandle, TitleKey } from './titles.ts'

type PageModule = { Component: ComponentType }

/** A lazily loaded page; its texts come with it, so that it does not wait for them once more. */
function page(path: string, title: TitleKey, load: () => Promise<PageModule>, ...texts: string[]) {
  const handle: RouteHandle = { title }
  const loadPage = async () => (await Promise.all([load(), ...texts.map(loadTexts)]))[0].Component
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

type GuardLoader = ReturnType<typeof createGuardLoader>

/**
 * Leads on to the devices where the guard lets in. It runs beside the shell's own guard and so asks the same guard first.
 * A loader and not an element: `Navigate` loses its way about once in a hundred arrivals, and leaves an empty shell.
 */
const leadToDevices =
  (guard: GuardLoader) =>
  async (args: LoaderFunctionArgs): Promise<Response> => {
    const decided = await guard(args)
    return decided instanceof Response ? decided : replace(paths.devices)
  }

/** Every route of the console (client.md section 2); made only after start-up, so that guards find the profile. */
export function createAppRouter(queryClient: QueryClient) {
  const guard = (route: GuardedRoute) => createGuardLoader(queryClient, route)
  const pages: RouteObject[] = [
    page(paths.check, 'check', () => import('../features/sso/CheckPage.tsx'), 'sso', 'sign-in'),
    {
      ...page(paths.login, 'login', () => import('../features/sign-in/LoginPage.tsx'), 'sign-in'),
      loader: guard('login'),
    },
    page(paths.setup, 'setup', () => import('../features/setup/SetupPage.tsx'), 'setup'),
    page(
      paths.reset,
      'reset',
      () => import('../features/recovery/ResetPage.tsx'),
      'recovery',
      'sign-in',
    ),
    page(paths.restore, 'restore', () => import('../features/leaving/RestorePage.tsx'), 'leaving'),
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
      ...page(
        paths.ssoConfirm,
        'ssoConfirm',
        () => import('../features/sso-confirm/ConfirmPage.tsx'),
        'sso-confirm',
      ),
      loader: guard('ssoConfirm'),
    },
    {
      path: paths.home,
      loader: guard('home'),
      lazy: { Component: loadShell },
      children: [
        { index: true, loader: leadToDevices(guard('home')) },
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
