import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useScrollLock } from '../../../ui/use-scroll-lock.ts'
import type { AnnouncementRow } from '../announcements.ts'
import { AnnouncementList } from './AnnouncementList.tsx'

const scrollReleaseDelayMs = 200

/**
 * The announcements dialog of client.md section 2: open as long as it is mounted; neither Escape nor the backdrop nor
 * an icon closes it, only its button, which calls `onClose` of the opener.
 */
export function AnnouncementsDialog(props: { rows: AnnouncementRow[]; onClose: () => void }) {
  const { t } = useTranslation('announcements')
  useScrollLock(scrollReleaseDelayMs)
  return (
    <Modal
      open
      title={t('dialogTitle')}
      width="min(582px, 100vw - 32px)"
      style={{ top: 50, marginBlock: 0 }}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      scrollLock={false}
      footer={
        <Button type="primary" autoFocus onClick={props.onClose}>
          {t('gotIt')}
        </Button>
      }
    >
      <AnnouncementList rows={props.rows} />
    </Modal>
  )
}
