import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import { createEmails } from './accounts/email.ts'
import { createLeaving, type Leaving } from './accounts/leaving.ts'
import { registerOwnAccountRoutes } from './accounts/own-account-routes.ts'
import { createOwnDataExports } from './accounts/own-data.ts'
import { createReleases, type Releases } from './accounts/releases.ts'
import { registerAccountRoutes } from './accounts/routes.ts'
import { type Accounts, createAccounts } from './accounts/service.ts'
import { createSessions, type Sessions } from './accounts/sessions.ts'
import { registerAnnouncementRoutes } from './announcements/routes.ts'
import { createAnnouncements } from './announcements/service.ts'
import { registerCaptchaRoutes } from './captcha/routes.ts'
import { type Captchas, createCaptchas } from './captcha/service.ts'
import type { ServerContext } from './context.ts'
import { registerDeviceRoutes } from './devices/routes.ts'
import { registerEventRoutes } from './events/routes.ts'
import { createEventStreams, type EventStreams } from './events/stream.ts'
import { registerGateRoutes } from './gate/routes.ts'
import { createHttpApp } from './http/create-http-app.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { registerMessageRoutes } from './messages/routes.ts'
import { createNotices } from './notices/service.ts'
import { createPhoneRoom } from './phone/room.ts'
import { registerPhoneRoutes } from './phone/routes.ts'
import { registerRecordRoutes } from './records/routes.ts'
import { createRecordService, type RecordService } from './records/service.ts'
import { registerRecoveryRoutes } from './recovery/routes.ts'
import { createRecovery } from './recovery/service.ts'
import { createRelayHub, type RelayHub } from './relays/hub.ts'
import { registerRelayRoutes } from './relays/routes.ts'
import { registerPasskeyRoutes } from './second-factor/passkey-routes.ts'
import { createPasskeys } from './second-factor/passkeys.ts'
import { registerSecondFactorRoutes } from './second-factor/routes.ts'
import { createSecondFactor, type SecondFactor } from './second-factor/service.ts'
import { createSignInDoor } from './sign-in/door.ts'
import { registerLogout } from './sign-in/logout.ts'
import { createPasswordCheck } from './sign-in/password-check.ts'
import { registerSignInRoutes } from './sign-in/routes.ts'
import { createSignUps, type SignUps } from './sign-in/service.ts'
import { registerConsoleFiles } from './site/console-files.ts'
import { registerDocs } from './site/docs-routes.ts'
import { registerSiteRoutes } from './site/routes.ts'
import type { SsoAdapter } from './sso/adapter.ts'
import { createSsoFlows } from './sso/flows.ts'
import { createIdentities } from './sso/identities.ts'
import { createOidcAdapter } from './sso/oidc.ts'
import { registerSsoRoutes } from './sso/routes.ts'
import { createSso } from './sso/service.ts'
import { createWechatAdapter } from './sso/wechat.ts'
import { createHomeportAdapter } from './sso-provider/adapter.ts'
import { createSsoEvents, type SsoEvents } from './sso-provider/events.ts'
import { registerSsoProviderRoutes } from './sso-provider/routes.ts'
import { createSsoProvider, type SsoProviderService } from './sso-provider/service.ts'
import { createInvites, type Invites } from './staff/invites.ts'
import { registerStaffRoutes } from './staff/routes.ts'

/** Calls of one address in a burst: a page that opens makes about ten. */
const callBurst = 600

/** Calls of one address that come back each second: an office behind one address stays below. */
const callsPerSecond = 50

/** Files of the console for one address in a burst: a browser that comes for the first time takes about forty. */
const fileBurst = 6_000

/** Files for one address that come back each second. */
const filesPerSecond = 500

/** Addresses remembered at once. */
const addressLimit = 50_000

/** The services that the command line reaches too. */
export interface AccountRooms {
  sessions: Sessions
  accounts: Accounts
  invites: Invites
  signUps: SignUps
  secondFactor: SecondFactor
  releases: Releases
}

/** Makes the rooms around accounts. */
export function createAccountRooms(context: ServerContext): AccountRooms {
  const sessions = createSessions(context)
  const accounts = createAccounts(context, sessions)
  const invites = createInvites(context)
  const secondFactor = createSecondFactor(context, { accounts, sessions })
  return {
    sessions,
    accounts,
    invites,
    signUps: createSignUps(context, accounts, invites),
    secondFactor,
    releases: createReleases(context, { sessions, secondFactor }),
  }
}

/** All rooms put together, not listening yet. */
export interface ServerApp {
  http: FastifyInstance
  hub: RelayHub
  records: RecordService
  streams: EventStreams
  captchas: Captchas
  leaving: Leaving
  mailer: Mailer
  ssoEvents: SsoEvents
  ssoProvider: SsoProviderService
}

/** Puts every room together. */
export function createServerApp(context: ServerContext, rooms: AccountRooms): ServerApp {
  const { clock, config, logger, keys, bus } = context
  const { sessions } = rooms
  const hub = createRelayHub(context, sessions)
  bus.onSessionEnd(({ publicId }) => hub.endConsoleSession(publicId))
  const records = createRecordService(context, hub)
  const streams = createEventStreams(context)
  const captchas = createCaptchas(context)
  const ssoEvents = createSsoEvents(context)
  const ssoProvider = createSsoProvider(context, { events: ssoEvents, sessions })
  const check = createPasswordCheck(context, rooms.accounts, captchas)

  const http = createHttpApp({
    settings: config,
    clock,
    logger,
    csrfKey: keys.csrf,
    findActor: sessions.findActor,
    callLimiter: createRateLimiter({
      burst: config.limits?.callBurst ?? callBurst,
      perSecond: config.limits?.callsPerSecond ?? callsPerSecond,
      keyLimit: addressLimit,
      clock,
    }),
    fileLimiter: createRateLimiter({
      burst: fileBurst,
      perSecond: filesPerSecond,
      keyLimit: addressLimit,
      clock,
    }),
  })
  // Every provider of sign-ons, in the order in which the login page offers them.
  const ssoAdapters: SsoAdapter[] = [
    createHomeportAdapter(ssoProvider),
    ...(config.wechat === undefined ? [] : [createWechatAdapter(config.wechat, context)]),
    ...(config.oidc === undefined ? [] : [createOidcAdapter(config.oidc, context)]),
  ]
  const mailer = createMailer(context)
  registerSiteRoutes(http, { ...context, accounts: rooms.accounts, mailer, ssoAdapters })
  registerDocs(http, config)
  registerMessageRoutes(http, context)
  const { secondFactor, signUps } = rooms
  const leaving = createLeaving(context, { sessions, records, hub })
  const door = createSignInDoor(context, { sessions, secondFactor, leaving })
  const { accounts } = rooms
  const emails = createEmails(context, mailer)
  const notices = createNotices(context, { accounts, mailer })
  bus.onSecurityChange(notices.tell)
  const recovery = createRecovery(context, { accounts, captchas, mailer })
  registerRecoveryRoutes(http, { recovery })
  registerSignInRoutes(http, { accounts, clock, sessions, check, signUps, door })
  registerSecondFactorRoutes(http, { secondFactor })
  const passkeys = createPasskeys(context, rooms)
  registerPasskeyRoutes(http, { clock, sessions, secondFactor, door, passkeys })
  registerPhoneRoutes(http, createPhoneRoom(context, { ...rooms, captchas, door }))
  const identities = createIdentities(context)
  const sso = createSso(context, {
    adapters: ssoAdapters,
    flows: createSsoFlows(context),
    identities,
    accounts: rooms.accounts,
    sessions,
    signUps,
    door,
  })
  registerSsoRoutes(http, { clock, sso, identities })
  registerCaptchaRoutes(http, { config, captchas, check })
  registerLogout(http, { sessions })
  registerSsoProviderRoutes(http, { clock, keys, provider: ssoProvider, events: ssoEvents })
  registerAccountRoutes(http, { clock, accounts, sessions, check, emails })
  registerOwnAccountRoutes(http, {
    accounts,
    secondFactor,
    leaving,
    exports: createOwnDataExports(context, secondFactor),
    emails,
    mailer,
  })
  registerAnnouncementRoutes(http, { announcements: createAnnouncements(context) })
  registerStaffRoutes(http, { invites: rooms.invites })
  registerEventRoutes(http, { streams })
  registerDeviceRoutes(http, context, { accounts: rooms.accounts, records, hub })
  registerRecordRoutes(http, records)
  registerRelayRoutes(http, context, hub)
  registerGateRoutes(http, context, records)
  registerConsoleFiles(http, config.consoleFiles)
  return {
    http,
    hub,
    records,
    streams,
    captchas,
    leaving,
    mailer,
    ssoEvents,
    ssoProvider,
  }
}
