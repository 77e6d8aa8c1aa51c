import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import styles from './Brand.module.css'

/** Sign and name of the product, leading home; the sign alone where `isTight` and the screen is a phone's. */
export function Brand(props: { isTight?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link className={styles.brand ?? ''} data-tight={props.isTight ?? false} to={paths.home}>
      <img className={styles.mark} src="/favicon.svg" alt="" />
      <span className={styles.name}>{t('brand')}</span>
    </Link>
  )
}
