import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import styles from './SecondFactor.module.css'

const fileName = 'homeport-recovery-codes.txt'

/** Shows recovery codes, this once: it closes only when its reader says that they are kept. */
export function RecoveryCodesDialog(props: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('second-factor')
  const [isSaved, setSaved] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const text = props.codes.join('\n')
  return (
    <Modal
      open={isOpen}
      title={t('recovery.title')}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      afterClose={props.onClose}
      footer={
        <Button type="primary" disabled={!isSaved} onClick={() => setOpen(false)}>
          {t('recovery.done')}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={t('recovery.once')} />
      <p>{t('recovery.detail')}</p>
      <ul className={styles.codes}>
        {props.codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton text={text} label={t('recovery.copy')} />
        <Button
          icon={<DownloadOutlined />}
          onClick={() => saveFile(fileName, new Blob([`${text}\n`], { type: 'text/plain' }))}
        >
          {t('recovery.download')}
        </Button>
      </div>
      <Checkbox
        className={styles.saved ?? ''}
        checked={isSaved}
        onChange={event => setSaved(event.target.checked)}
      >
        {t('recovery.saved')}
      </Checkbox>
    </Modal>
  )
}
