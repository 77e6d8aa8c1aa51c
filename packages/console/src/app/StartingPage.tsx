import { useTranslation } from 'react-i18next'

/** Shown while the first page is on its way; the same picture as in index.html. */
export function StartingPage() {
  const { t } = useTranslation()
  return (
    <div className="starting" role="status" aria-label={t('loading')}>
      <span className="starting-dot" />
    </div>
  )
}
