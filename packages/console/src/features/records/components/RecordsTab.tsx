import { GlobalOutlined, PlusOutlined } from '@ant-design/icons'
import type { RecordRow, RouterRow } from '@homeport/contract'
import { Button, Grid } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useDialog } from '../../../ui/use-dialog.ts'
import { usePreload } from '../../../ui/use-preload.ts'
import { RecordCards } from './RecordCards.tsx'
import { RecordDrawer, RecordEditor } from './RecordDrawer.tsx'
import styles from './Records.module.css'
import { RecordTable } from './RecordTable.tsx'
import type { RecordActions } from './record-actions.ts'

const ConnectionCheck = lazyPart(
  async () => (await import('./ConnectionCheck.tsx')).ConnectionCheck,
)
const DeleteRecordDialog = lazyPart(
  async () => (await import('./DeleteRecordDialog.tsx')).DeleteRecordDialog,
)
const likelyNext = [RecordEditor, ConnectionCheck, DeleteRecordDialog]

/** 外网域名: the public names of a device. `?add=1` opens the drawer for a new one. */
export function RecordsTab(props: { device: RouterRow }) {
  const { t } = useTranslation('records')
  const { device } = props
  const { records } = device
  const [query, setQuery] = useSearchParams()
  // The row as it was then: news from elsewhere must not change a form under the hands.
  const [edited, setEdited] = useState<RecordRow>()
  const check = useDialog<RecordRow>()
  const deletion = useDialog<RecordRow>()
  const isNarrow = Grid.useBreakpoint().lg === false
  usePreload(likelyNext)
  const isAdding = query.has('add')
  const setAdding = (adding: boolean) => setQuery(adding ? { add: '1' } : {}, { replace: !adding })
  const actions: RecordActions = {
    onEdit: setEdited,
    onCheck: check.show,
    onDelete: deletion.show,
  }
  const addButton = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <>
      {records.length === 0 ? (
        <EmptyState
          icon={<GlobalOutlined />}
          title={t('empty.title')}
          detail={t('empty.detail')}
          action={addButton}
        />
      ) : (
        <>
          <div className={styles.toolbar}>{addButton}</div>
          {isNarrow ? (
            <RecordCards records={records} actions={actions} />
          ) : (
            <RecordTable records={records} actions={actions} />
          )}
        </>
      )}
      <RecordDrawer
        device={device}
        record={edited}
        isOpen={isAdding || edited !== undefined}
        onClose={() => {
          setEdited(undefined)
          if (isAdding) setAdding(false)
        }}
        onCheck={check.show}
      />
      <Suspense>
        {check.subject !== undefined && (
          <ConnectionCheck key={check.subject.id} record={check.subject} frame={check.frame} />
        )}
        {deletion.subject !== undefined && (
          <DeleteRecordDialog
            key={deletion.subject.id}
            record={deletion.subject}
            frame={deletion.frame}
          />
        )}
      </Suspense>
    </>
  )
}
