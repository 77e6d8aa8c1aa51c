import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  label: 'Token',
  copy: 'Copy the token',
  show: 'Show the token',
  hide: 'Hide the token',
  detail: 'New devices bind to your account with it. Keep it like a password.',
  reset: 'Reset the token',
  resetTitle: 'Reset the token?',
  resetWhat: 'What happens:',
  resetOld:
    'The old token dies at once; commands, scripts and QR codes made with it add no more devices',
  resetSigned: 'One-time tokens that were not used yet die with it',
  resetSignedCount: ' ({{count}} now)',
  resetDevices: 'Bound devices are not affected and stay online',
  resetDevicesCount: ' ({{count}})',
  irreversible: 'This cannot be undone.',
  resetConfirm: 'Reset the token',
  resetDone: 'The token was reset',
  resetFailed: 'The token could not be reset',
}
