import { useTranslation } from 'react-i18next'
import { formatExactInstant, formatRelative } from './instants.ts'
import { useNow } from './use-now.ts'

/** "3 minutes ago", kept true while it is shown; the whole instant is its tooltip. */
export function RelativeTime(props: { instant: string }) {
  const { t, i18n } = useTranslation()
  const nowMs = useNow(20_000)
  return (
    <time dateTime={props.instant} title={formatExactInstant(props.instant, i18n.language)}>
      {formatRelative(props.instant, nowMs, { language: i18n.language, justNow: t('justNow') })}
    </time>
  )
}
