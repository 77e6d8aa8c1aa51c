import type { RecordRow, RouterRow } from '@homeport/contract'
import { Drawer, Grid, Skeleton } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useFocusReturn } from '../../../ui/use-focus-return.ts'
import type { EditorHandle } from './RecordEditor.tsx'
import styles from './RecordForm.module.css'

/** The drawer's content, form library and all: a list of records does without it. */
export const RecordEditor = lazyPart(async () => (await import('./RecordEditor.tsx')).RecordEditor)

/** Makes or changes a record. What was typed is kept until it is saved or given up knowingly. */
export function RecordDrawer(props: {
  device: RouterRow
  /** The record to edit as it was when the drawer opened; undefined for a new one. */
  record: RecordRow | undefined
  isOpen: boolean
  onClose: () => void
  onCheck: (record: RecordRow) => void
}) {
  const { t } = useTranslation('records')
  const { device, isOpen, onClose } = props
  // While the drawer slides out it shows what it showed before.
  const [record, setRecord] = useState(props.record)
  if (isOpen && record !== props.record) setRecord(props.record)
  useFocusReturn(isOpen)
  const isPhone = Grid.useBreakpoint().sm === false
  const [round, setRound] = useState(0)
  const editor = useRef<EditorHandle>(null)
  return (
    <Drawer
      open={isOpen}
      title={t(record === undefined ? 'drawer.create' : 'drawer.edit')}
      size={isPhone ? '100%' : 560}
      onClose={() => (editor.current === null ? onClose() : editor.current.leave())}
      classNames={{ body: styles.drawer ?? '' }}
      destroyOnHidden
    >
      <Suspense
        fallback={<Skeleton active className={styles.scroll ?? ''} paragraph={{ rows: 8 }} />}
      >
        <RecordEditor
          key={`${record?.id}-${round}`}
          ref={editor}
          device={device}
          record={record}
          onClose={onClose}
          onCheck={props.onCheck}
          onAnother={() => setRound(round + 1)}
        />
      </Suspense>
    </Drawer>
  )
}
