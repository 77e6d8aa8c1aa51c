import { Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'

/** Rows of the placeholder (client.md section 9). */
const skeletonRows = 30

/** The animated placeholder of a page that loads. */
export function PageSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')}>
      <Skeleton active title={false} paragraph={{ rows: skeletonRows }} />
    </div>
  )
}
