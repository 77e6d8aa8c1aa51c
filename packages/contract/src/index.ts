export * from './calls/accounts.ts'
export * from './calls/captcha.ts'
export * from './calls/devices.ts'
export * from './calls/gate.ts'
export * from './calls/messages.ts'
export * from './calls/own-account.ts'
export * from './calls/own-data.ts'
export * from './calls/passkeys.ts'
export * from './calls/phone.ts'
export * from './calls/records.ts'
export * from './calls/recovery.ts'
export { usernameSchema } from './calls/schemas.ts'
export * from './calls/second-factor.ts'
export * from './calls/site.ts'
export * from './calls/sso.ts'
export * from './calls/sso-provider.ts'
export * from './calls/target.ts'
export { calls } from './calls.ts'
export * from './constants.ts'
export * from './describe-browser.ts'
export * from './errors.ts'
export * from './events.ts'
export type {
  Call,
  CallAccess,
  CallArguments,
  CallInput,
  CallResponses,
  CallResult,
} from './kit/call.ts'
export * from './kit/client.ts'
export * from './password-strength.ts'
export * from './phone-number.ts'
export * from './problem.ts'
