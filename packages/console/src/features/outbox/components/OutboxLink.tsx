import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/i18n.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useFocusReturn } from '../../../ui/use-focus-return.ts'
import { useSettings } from '../../site/api/settings.ts'
import styles from './Outbox.module.css'

const OutboxDrawer = lazyPart(async () => {
  const [part] = await Promise.all([import('./OutboxDrawer.tsx'), loadTexts('outbox')])
  return part.OutboxDrawer
})

/** In development: opens what would have been sent by text message or mail. Nothing elsewhere. */
export function OutboxLink() {
  const { t } = useTranslation('common')
  const settings = useSettings()
  const [isLoaded, setLoaded] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useFocusReturn(isOpen)
  if (settings?.mode !== 'development') return null
  return (
    <>
      <button
        className={styles.link}
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          setLoaded(true)
          setOpen(true)
        }}
      >
        {t('outbox')}
      </button>
      {isLoaded && (
        <Suspense>
          <OutboxDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
