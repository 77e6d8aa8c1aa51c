import { readLanguage } from '../i18n/language.ts'

/** An instant as date and minute in the visitor's time zone and language. */
export const formatInstant = (instant: string): string =>
  new Intl.DateTimeFormat(readLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  )
