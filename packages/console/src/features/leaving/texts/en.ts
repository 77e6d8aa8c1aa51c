import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  export: {
    title: 'Export your data',
    detail:
      'Profile, devices, public names, sign-ins and more, as one JSON file. It holds no password, token or key.',
    submit: 'Export',
    done: 'The file was saved',
    failed: 'Could not be exported',
    limit: 'Five times a day at most.',
  },
  leave: {
    title: 'Delete the account',
    detail:
      'It is switched off for 14 days, in which signing in restores it; then it is deleted for good.',
    open: 'Delete the account…',
    last: 'You are the only superuser. Make another one first.',
    dialogTitle: 'Delete the account?',
    atOnce: 'At once:',
    sessions: 'every browser is signed out',
    devices: 'devices are cut off ({{count}}); nobody reaches them',
    devicesNone: 'no device is cut off',
    records: 'public names are switched off ({{count}}); visitors are told that they do not exist',
    later: 'After 14 days, for good:',
    lost: 'devices, public names, passkeys and all that was recorded are deleted',
    names: 'public names rest for 30 more days, then others may take them',
    plans: 'plans are void, without a refund',
    exportFirst: 'Export your data first if you want to keep a copy.',
    confirm: 'Type the user name {{username}} to confirm',
    mismatch: 'This is not your user name',
    code: 'Two-step or recovery code',
    codeNeeded: 'Enter a two-step or recovery code',
    codeWrong: 'The code is wrong or was used',
    submit: 'Delete the account',
    failed: 'Could not be deleted',
  },
  gone: {
    title: 'The account is switched off',
    detail: 'It will be deleted on {{instant}}. Until then, signing in restores it.',
  },
  restore: {
    title: 'This account is being deleted',
    detail:
      '{{username}} will be deleted on {{instant}}. Restored, all is as before; devices link again by themselves.',
    submit: 'Restore the account',
    stay: 'Leave it deleted',
    failed: 'Could not be restored',
    expired: 'The time to restore it has passed; sign in again.',
    loadFailed: 'The account could not be looked up',
  },
}
