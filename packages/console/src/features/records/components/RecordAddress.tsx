import { ExportOutlined } from '@ant-design/icons'
import type { RecordRow } from '@homeport/contract'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { isBrowserAddress, shortAddress } from '../record-url.ts'
import styles from './Records.module.css'

/** A public address to open (where a browser can) and to copy. */
export function RecordAddress(props: { record: RecordRow }) {
  const { t } = useTranslation('records')
  const { name, url, enabled } = props.record
  return (
    <div className={styles.address}>
      {isBrowserAddress(url) && enabled ? (
        <a href={url} target="_blank" rel="noopener" title={t('openName', { name })}>
          {shortAddress(url)} <ExportOutlined aria-hidden />
        </a>
      ) : (
        <span>{shortAddress(url)}</span>
      )}
      <CopyButton text={url} size="small" type="text" iconOnly label={t('copyAddress', { name })} />
    </div>
  )
}
