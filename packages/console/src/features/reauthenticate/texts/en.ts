import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Confirm that it is you',
  detail: {
    password: 'This is a sensitive change. Enter your password again.',
    code: 'This is a sensitive change. Confirm it with a code by text message.',
    none: 'This is a sensitive change and needs a sign-in of the last 10 minutes. Confirm it here, or sign out and in again.',
  },
  password: 'Password',
  code: 'Code sent to your phone number',
  wrong: { password: 'The password is wrong', code: 'The code is wrong or has expired' },
  passkey: 'Confirm with a passkey',
  passkeyEnded: 'Not confirmed; you can try again.',
  identity: 'Confirm with {{name}}',
  identityDetail:
    'You leave this page, prove there anew who you are, and come back; what is not saved is lost.',
}
