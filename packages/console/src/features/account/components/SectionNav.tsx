import { useTranslation } from 'react-i18next'
import { TextButton } from '../../../ui/fields.tsx'
import styles from './SectionNav.module.css'

/** Leads to the sections of a long page: scrolls to the one that is chosen and gives it the focus. */
export function SectionNav(props: { sections: readonly { id: string; title: string }[] }) {
  const { t } = useTranslation('account')
  const show = (id: string) => {
    const heading = document.getElementById(id)
    heading?.scrollIntoView({ behavior: 'smooth', block: 'start' })
    heading?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={t('sections')} className={styles.nav}>
      <ul className={styles.list}>
        {props.sections.map(({ id, title }) => (
          <li key={id}>
            <TextButton onClick={() => show(id)}>{title}</TextButton>
          </li>
        ))}
      </ul>
    </nav>
  )
}
