import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Reset the password',
  detail: 'Show that the account is yours, then choose a new password',
  ways: {
    label: 'Ways to reset',
    phone: 'By phone',
    mail: 'By e-mail',
  },
  mail: {
    label: 'E-mail address of the account',
    needed: 'Enter an e-mail address',
    form: 'Not an e-mail address',
    submit: 'Send a link',
    again: 'Nothing came: send another',
    sent: 'If {{email}} is the confirmed address of an account, a link is on its way there. It is good for 30 minutes. If it does not come, look among unwanted mail.',
  },
  link: {
    detail: 'Choose a new password for the account {{username}}. Every session will end.',
    password: 'New password',
    submit: 'Reset the password',
    done: 'The password is reset',
    doneDetail: 'Every session has ended. Sign in with the new password.',
    invalid: 'The link is not good any more',
    invalidDetail:
      'A link works once, for 30 minutes, and not after a change of the password or the address. Ask for another on the sign-in page.',
  },
}
