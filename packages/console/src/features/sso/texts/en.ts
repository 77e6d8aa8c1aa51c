import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  wechat: 'WeChat',
  or: 'or',
  signInWith: 'Sign in with {{name}}',
  scan: {
    code: 'QR code to sign in',
    starting: 'Preparing the QR code…',
    waiting: 'Scan with your phone',
    how: 'Use a phone that is signed in to Homeport, and confirm there',
    scanned: 'Scanned: now confirm on the phone',
    number: 'Check first that your phone shows {{number}} too',
    confirmed: 'Confirmed, signing in…',
    denied: 'The phone refused this sign-in',
    expired: 'The QR code has expired',
    refresh: 'New QR code',
    again: 'Try again',
  },
  check: {
    noneTitle: 'There is no sign-in to verify',
    noneDetail: 'This page only finishes a sign-in by QR code or with another service.',
    checking: 'Verifying the sign-in…',
    secondStep: 'Two-step verification',
    secondStepDetail: 'The other service has confirmed who you are',
    cancelledTitle: 'Sign-in cancelled',
    cancelledDetail: 'You did not agree at the other service. Begin again, or use another way.',
    refusedTitle: 'The other service did not finish this sign-in',
    refusedDetail: 'Begin again; if it stays like this, tell the administrator of this service.',
    failedTitle: 'You are not signed in yet',
    closedDetail:
      'That identity is not linked to an account here, and sign-up is closed. Sign in another way and link it on your account page.',
    takenDetail:
      'That identity is linked to another account here. Sign in to that one and unlink it first.',
    reauthenticatedTitle: 'Confirmed: it is you',
    reauthenticatedDetail:
      'Within the next 10 minutes you can go back and do what you were about to do.',
    notRecentDetail:
      'The other service did not check anew who you are, so it is not certain that it is you. Try again; if it stays like this, tell the administrator of this service.',
    back: 'Back to sign-in',
    toAccount: 'Back to your account',
  },
  identities: {
    title: 'Other services',
    detail: 'Once linked, they sign you in directly',
    failed: 'Linked services could not be loaded',
    none: 'Nothing is linked yet',
    unavailable: 'No other service is set up here',
    linked: 'Linked',
    used: 'last sign-in',
    unused: 'not signed in with yet',
    link: 'Link {{name}}',
    linkFailed: 'Linking did not begin',
    unlink: 'Unlink',
    unlinkName: 'Unlink {{name}}',
    unlinkTitle: 'Unlink {{name}}?',
    unlinkDetail: 'It no longer signs you in to this account; you can link it again later.',
    unlinkFailed: 'It was not unlinked',
  },
}
