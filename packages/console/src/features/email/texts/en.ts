import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'E-mail address',
  detail: 'Once confirmed it signs in, and tells you when your account changes.',
  label: 'E-mail address',
  placeholder: 'name@example.com',
  none: 'No e-mail address yet',
  off: 'Mail is not set up here, so no address can be given.',
  submit: 'Send the confirmation',
  remove: 'Remove the address',
  removed: 'The address was removed',
  removeTitle: 'Remove the e-mail address?',
  removeDetail: '{{email}} will no longer sign in or be told of changes.',
  removeFailed: 'The address could not be removed',
  required: 'Enter an e-mail address',
  invalid: 'Not an e-mail address',
  same: 'This is the present address',
  failed: 'The confirmation could not be sent',
  pending: 'To be confirmed: {{email}}',
  pendingDetail:
    'Open the link in the mail before {{instant}}. Until then the present address stays.',
  pendingOver: 'The link has expired; send another one.',
  resend: 'Send again',
  resent: 'Sent again',
  resendFailed: 'Could not be sent again',
  cancel: 'Give it up',
  cancelFailed: 'Could not be given up',
  confirming: 'Confirming the address…',
  confirmed: 'The address is confirmed',
  confirmFailed: 'The address could not be confirmed',
  loadFailed: 'The state of the address could not be loaded',
}
