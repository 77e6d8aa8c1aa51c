import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import styles from './Brand.module.css'

/** Sign and name of the product, leading home. */
export function Brand() {
  const { t } = useTranslation()
  return (
    <Link className={styles.brand ?? ''} to={paths.home}>
      <img className={styles.mark} src="/favicon.svg" alt="" />
      {t('brand')}
    </Link>
  )
}
