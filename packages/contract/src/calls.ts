import * as accounts from './calls/accounts.ts'
import * as captcha from './calls/captcha.ts'
import * as devices from './calls/devices.ts'
import * as gate from './calls/gate.ts'
import * as messages from './calls/messages.ts'
import * as ownAccount from './calls/own-account.ts'
import * as ownData from './calls/own-data.ts'
import * as passkeys from './calls/passkeys.ts'
import * as phone from './calls/phone.ts'
import * as records from './calls/records.ts'
import * as recovery from './calls/recovery.ts'
import * as secondFactor from './calls/second-factor.ts'
import * as site from './calls/site.ts'
import * as sso from './calls/sso.ts'
import * as ssoProvider from './calls/sso-provider.ts'
import type { Call } from './kit/call.ts'

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'responses' in value

/** Every call of the contract, in the order of its rooms. */
export const calls: readonly Call[] = [
  site,
  messages,
  accounts,
  ownAccount,
  ownData,
  secondFactor,
  passkeys,
  ssoProvider,
  sso,
  phone,
  recovery,
  captcha,
  devices,
  records,
  gate,
].flatMap(room => Object.values(room).filter(isCall))
