import type { CallError, InputProblem } from '@homeport/contract'
import type { RecordValues } from './record-form.ts'

/** A field of the record drawer. */
export type RecordField = keyof RecordValues

/** One problem at a field; `code` chooses the sentence. */
export interface FieldProblem {
  field: RecordField
  code: string
}

const fieldOfPath: Readonly<Record<string, RecordField>> = {
  name: 'name',
  kind: 'kind',
  remark: 'remark',
  enabled: 'enabled',
  access: 'access',
  'options.host_header': 'custom_host',
  'options.tls_verify': 'tls_verify',
  'options.tls_server_name': 'tls_server_name',
}

/**
 * Sorts a failed save into problems at fields and the rest. `unplaced` is true where something is left that has no field:
 * then the error is shown above the form too.
 */
export function placeRecordProblems(error: Pick<CallError, 'code' | 'errors'>): {
  fields: FieldProblem[]
  unplaced: boolean
} {
  if (error.code === 'name_taken') {
    return { fields: [{ field: 'name', code: error.code }], unplaced: false }
  }
  if (error.code === 'access_needs_http') {
    return { fields: [{ field: 'access', code: error.code }], unplaced: false }
  }
  const placed = error.errors.map(placeProblem)
  const fields = placed.filter(problem => problem !== undefined)
  return { fields, unplaced: fields.length === 0 || fields.length < placed.length }
}

function placeProblem({ path, code }: InputProblem): FieldProblem | undefined {
  // The server may say which part of the input it speaks of (`body.name`), and which element of a list (`access.0`).
  const plain = path.replace(/^body\./, '').replace(/\.\d+$/, '')
  if (plain === 'target') return { field: fieldOfTargetCode(code), code }
  const field = fieldOfPath[plain]
  return field === undefined ? undefined : { field, code }
}

const fieldOfTargetCode = (code: string): RecordField =>
  code === 'scheme' || code === 'port' ? code : 'host'
