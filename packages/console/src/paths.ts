/** Every address of the console, as the router and links write it (the part behind `#`). */
export const paths = {
  home: '/',
  check: '/check',
  login: '/login',
  setup: '/setup',
  restore: '/restore',
  reset: '/reset',
  errorport: '/errorport',
  ssoConfirm: '/sso/confirm',
  devices: '/devices',
  device: (id: number, tab: string) => `/devices/${id}/${tab}`,
  bind: '/bind',
  statistics: '/statistics',
  userInfo: '/user/info',
  playersare: '/playersare',
  productos: '/productos',
  record: '/record',
  invite: '/invite',
  buy: '/buy',
  announcements: '/announcements',
  tutorial: '/tutorial',
  staff: '/staff',
  staffTab: (tab: string) => `/staff/${tab}`,
} as const

/** Page of the server that ends the session. */
export const logoutPage = '/custom/logout'

/** An address with a query; parameters that are undefined or empty are left out. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
