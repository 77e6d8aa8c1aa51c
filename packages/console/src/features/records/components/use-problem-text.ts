import { useTranslation } from 'react-i18next'
import type { RecordField } from '../field-problems.ts'

/** The sentence for a problem at a field of the drawer; a code without one of its own gets the field's general one. */
export function useProblemText(): (field: RecordField, code: string) => string {
  const { t } = useTranslation('records')
  return (field, code) => {
    const sentences: Readonly<Record<string, string>> = t(`problems.${field}`, {
      returnObjects: true,
    })
    const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined
    return own ?? sentences.other ?? ''
  }
}
