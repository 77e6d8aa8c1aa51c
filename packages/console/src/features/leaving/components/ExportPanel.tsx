import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import styles from '../../account/components/Account.module.css'
import { useExport } from '../api/leaving.ts'

/** Takes a copy of the own data. */
export function ExportPanel() {
  const { t } = useTranslation('leaving')
  const { mutate, isPending, isSuccess, error } = useExport()
  return (
    <>
      <div className={styles.actions}>
        <Button icon={<DownloadOutlined />} loading={isPending} onClick={() => mutate()}>
          {t('export.submit')}
        </Button>
        <span role="status" className={isSuccess ? styles.done : styles.soft}>
          {t(isSuccess ? 'export.done' : 'export.limit')}
        </span>
      </div>
      <FailureNotice title={t('export.failed')} error={error} />
    </>
  )
}
