import { CallError, type RecordRow, type RouterRow } from '@homeport/contract'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { useCreateRecord } from '../api/create-record.ts'
import { usePatchRecord } from '../api/patch-record.ts'
import { placeRecordProblems, type RecordField } from '../field-problems.ts'
import {
  bodyOfValues,
  changesOfValues,
  opensToEverybody,
  type RecordValues,
} from '../record-form.ts'
import { useProblemText } from './use-problem-text.ts'

/**
 * Saves the drawer's values: asks a second time before something opens to everybody, and puts the server's problems at
 * their fields. `unplacedError` is what has no
 * field, `problemFields` are those the last save was refused for.
 */
export function useSaveRecord(
  device: RouterRow,
  record: RecordRow | undefined,
  form: FormInstance<RecordValues>,
) {
  const create = useCreateRecord()
  const patch = usePatchRecord({ id: record?.id ?? 0 })
  const problemText = useProblemText()
  const [asking, setAsking] = useState<RecordValues>()
  const [saved, setSaved] = useState<RecordRow>()
  const [unplacedError, setUnplacedError] = useState<unknown>()
  const [problemFields, setProblemFields] = useState<readonly RecordField[]>([])

  const save = async (values: RecordValues) => {
    setUnplacedError(undefined)
    setProblemFields([])
    try {
      setSaved(await send(values))
    } catch (error) {
      show(error)
    }
  }
  const send = (values: RecordValues) => {
    if (record === undefined) {
      const body = { router: device.id, kind: values.kind, ...bodyOfValues(values) }
      return create.mutateAsync(body)
    }
    const latest = device.records.find(({ id }) => id === record.id) ?? record
    return patch.mutateAsync(changesOfValues(values, record, latest))
  }
  const show = (error: unknown) => {
    if (!(error instanceof CallError)) {
      setUnplacedError(error)
      return
    }
    const { fields, unplaced } = placeRecordProblems(error)
    form.setFields(
      fields.map(({ field, code }) => ({ name: field, errors: [problemText(field, code)] })),
    )
    setProblemFields(fields.map(({ field }) => field))
    const first = fields[0]?.field
    if (first !== undefined) form.scrollToField(first, { block: 'center', focus: true })
    if (unplaced) setUnplacedError(error)
  }
  return {
    saved,
    asking,
    unplacedError,
    problemFields,
    isPending: create.isPending || patch.isPending,
    submit: (values: RecordValues) => {
      if (opensToEverybody(values, record)) setAsking(values)
      else void save(values)
    },
    confirmPublic: () => {
      if (asking !== undefined) void save(asking)
      setAsking(undefined)
    },
    cancelPublic: () => setAsking(undefined),
  }
}
