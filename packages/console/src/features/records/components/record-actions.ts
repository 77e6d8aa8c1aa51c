import type { RecordRow } from '@homeport/contract'

/** What can be done with a record from its row. */
export interface RecordActions {
  onEdit: (record: RecordRow) => void
  onCheck: (record: RecordRow) => void
  onDelete: (record: RecordRow) => void
}
