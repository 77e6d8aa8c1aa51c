import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  phone: 'Phone number',
  boundPhone: 'Phone number of the account',
  code: 'Code from the text message',
  send: 'Send code',
  again: 'Again in {{seconds}} s',
  sent: 'The code was sent and is good for 5 minutes. If it does not come, check the number and send it again later.',
  signInOrUp: 'Sign in or sign up',
  problem: {
    phone_needed: 'Enter a phone number',
    phone_signs: 'A phone number is digits, with a + before them at most',
    phone_country: 'Put the country code before it, such as +852',
    phone_length: 'A phone number has 7 to 15 digits',
    phone_mainland: 'This is not a mobile number of mainland China',
    phone_taken: 'This phone number belongs to another account',
    code_form: 'Enter the 6 digits of the text message',
    code_wrong: 'The code is wrong or has expired',
  },
  reset: {
    password: 'New password',
    submit: 'Reset the password',
  },
  panel: {
    title: 'Phone number',
    detail: 'Signs in with a code by text message, and helps when the password is forgotten.',
    none: 'No phone number yet',
    verified: 'Verified',
    since: 'Bound',
    off: 'Text messages are not set up here: phone numbers can neither sign in nor be changed.',
  },
  bind: {
    open: 'Add a phone number',
    title: 'Add a phone number',
    detail: 'The code goes to this number.',
    submit: 'Add',
  },
  rebind: {
    open: 'Change',
    title: 'Change the phone number',
    detail: 'Both numbers have to be confirmed, the old one and the new one.',
    oldCode: 'Code sent to the old number {{phone}}',
    phone: 'New phone number',
    code: 'Code sent to the new number',
    submit: 'Change',
  },
}
