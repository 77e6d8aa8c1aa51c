import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Sign in to Homeport',
  signUpTitle: 'Make a Homeport account',
  detail: 'Reach your devices at home, safely, from anywhere',
  account: 'User name or e-mail',
  username: 'User name',
  password: 'Password',
  newPassword: 'Password',
  confirmation: 'Confirm the password',
  invite: 'Invitation code',
  signIn: 'Sign in',
  signUp: 'Sign up and sign in',
  toSignUp: 'No account? Make one',
  toSignUpInvited: 'Invited? Sign up with the code',
  toSignIn: 'Have an account? Sign in',
  needed: 'Please fill this in',
  wait: 'Try again in {{seconds}} s',
  onward: 'After signing in, {{host}} will open',
  needsSetup:
    'This service has no administrator yet: open the set-up link that the terminal showed at the start.',
  leaving: 'On the way to {{host}}',
  leavingDetail: 'It is you. Opening…',
  leavingLink: 'Nothing opened? Go on here',
  passkey: {
    button: 'Sign in with a passkey',
    ended: 'The check was not finished; try again, or use the password.',
  },
  secondStep: {
    detail:
      'One more step: enter the 6 digits of your authenticator app. Without your phone, enter a recovery code.',
    code: 'Two-step or recovery code',
    submit: 'Check and sign in',
    back: 'Use another account',
  },
  problem: {
    codeWrong: 'The code is wrong or was used; enter a new one',
    credentials: 'The account or the password is wrong',
    taken: 'This user name is taken',
    inviteInvalid: 'The invitation is unknown, used or expired',
    passwordShort: 'At least 8 characters',
    different: 'The two passwords differ',
    usernameForm: '3 to 32 characters: letters, digits, Han characters, _ . -; not digits alone',
  },
  strength: {
    short: 'Too short: at least 8 characters',
    weak: 'Weak: make it longer or mix characters',
    fair: 'Fair: longer would be safer',
    strong: 'Strong',
  },
  terms: {
    agree: 'I have read and accept the',
    title: 'terms of service',
    needed: 'Please read and accept the terms of service',
    close: 'Got it',
    operator: 'This service is run by whoever deployed it; the software is provided as it is.',
    content:
      'You answer for what you publish through your devices and names, and use nothing unlawfully.',
    security: 'Keep your password and token safe; a public name can be opened by anybody.',
    data: 'Accounts, devices, names and usage are stored to run the service; carried content is not.',
  },
  check: {
    title: 'There is no sign-in to verify',
    detail: 'This service has no single sign-on. Please sign in with account and password.',
    back: 'Back to sign-in',
  },
}
