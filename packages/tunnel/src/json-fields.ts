import { TunnelError, type TunnelErrorCode } from './errors.ts'

/** Reads named fields of a peer's JSON object; every miss is a `TunnelError` that names the field. */
export interface Fields {
  text(name: string, limitChars: number): string
  optionalText(name: string, limitChars: number): string | undefined
  /** A whole number from 0 to `limit`. */
  count(name: string, limit: number): number
  flag(name: string): boolean
  optionalFlag(name: string): boolean | undefined
  optionalFields(name: string): Fields | undefined
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses bytes as UTF-8 JSON holding one object; unknown fields are left for younger peers. */
export function parseFields(bytes: Uint8Array, code: TunnelErrorCode): Fields {
  let value: unknown
  try {
    value = JSON.parse(strictUtf8.decode(bytes))
  } catch (cause) {
    throw new TunnelError(code, { detail: 'not JSON', cause })
  }
  return readFields(value, code, 'message')
}

function readFields(value: unknown, code: TunnelErrorCode, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TunnelError(code, { detail: `${where} is not an object` })
  }
  const object = value as Record<string, unknown>
  // hasOwn: JSON text may carry a "__proto__" that must not answer for a missing field.
  const read = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined)
  const fail = (name: string) => new TunnelError(code, { detail: `${where}: field ${name}` })
  const fields: Fields = {
    text(name, limitChars) {
      const text = read(name)
      if (typeof text !== 'string' || text.length > limitChars) throw fail(name)
      return text
    },
    optionalText(name, limitChars) {
      return read(name) === undefined ? undefined : fields.text(name, limitChars)
    },
    count(name, limit) {
      const count = read(name)
      if (!Number.isSafeInteger(count) || (count as number) < 0 || (count as number) > limit) {
        throw fail(name)
      }
      return count as number
    },
    flag(name) {
      const flag = read(name)
      if (typeof flag !== 'boolean') throw fail(name)
      return flag
    },
    optionalFlag(name) {
      return read(name) === undefined ? undefined : fields.flag(name)
    },
    optionalFields(name) {
      const inner = read(name)
      return inner === undefined ? undefined : readFields(inner, code, name)
    },
  }
  return fields
}
