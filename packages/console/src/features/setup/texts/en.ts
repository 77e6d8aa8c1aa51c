import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Welcome to Homeport',
  detail: 'First make the administrator. This link works once.',
  submit: 'Make the administrator and sign in',
  invalid: 'The set-up link is unknown or used',
  invalidDetail:
    'If there is no administrator yet, start Homeport again: the terminal shows a new link.',
  done: 'Already set up',
  doneDetail: 'This service has an administrator. Please sign in.',
}
