import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Confirm sign-in',
  detail: 'A browser asks to sign in as “{{name}}”.',
  number: 'Compare with the number on the computer',
  compare: 'If the numbers differ, do not confirm.',
  browser: 'Browser',
  address: 'Address',
  time: 'Asked at',
  unknown: 'Unknown',
  sameNetwork: 'On the same network as you now',
  otherNetwork: 'Not on the same network as you now',
  warningTitle: 'Not you, just now? Refuse.',
  warning:
    'Whoever asks can use your account once you confirm. Never scan a code or open a link to sign in that somebody sent you.',
  confirm: 'Confirm sign-in',
  refuse: 'Refuse',
  left: 'The request expires in {{left}}',
  confirmFailed: 'Could not be confirmed',
  refuseFailed: 'Could not be refused',
  failed: 'The request could not be loaded',
  confirmed: { title: 'Confirmed', detail: 'Go back to the computer; it goes on by itself.' },
  refused: {
    title: 'Refused',
    detail: 'Nobody signed in. If it was not you, somebody may have tried to trick you.',
  },
  gone: {
    title: 'The request is no longer valid',
    detail:
      'It has expired, was answered, or another account opened it. Begin again on the computer and scan the new code.',
  },
  missing: { title: 'The link is not complete', detail: 'Scan the code on the computer again.' },
  sessions: 'Show signed-in devices',
  home: 'Back to the start',
}
