import { parseTarget, type Target, type TargetProblem, type TargetScheme } from '@homeport/contract'

/** The three fields a target is typed in. `port` is null while none is given. */
export interface TargetFields {
  scheme: TargetScheme
  host: string
  port: number | null
}

const knownScheme = /^(https?|tcp):\/\//i
const bareAuthority = /^(\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?#].*)?$/i

/**
 * Understands what people paste into the host field: a whole address copied from a browser
 * (`http://192.168.1.10:8123/lovelace`) or `host:port`. Path, query and fragment are dropped, because a record leads to a
 * whole service. Undefined where the text is a plain host, or nothing that can be split: then it stays as typed.
 */
export function readPastedTarget(text: string, scheme: TargetScheme): TargetFields | undefined {
  const trimmed = text.trim()
  if (knownScheme.test(trimmed)) {
    const target = parseTarget(trimmed.replace(/^([a-z]+:\/\/[^/?#]*)[/?#].*$/i, '$1'))
    return target.ok ? fieldsOf(target) : undefined
  }
  const parts = bareAuthority.exec(trimmed)
  if (parts === null || parts[1] === undefined) return undefined
  if (parts[2] === undefined && !/[/?#]/.test(trimmed)) return undefined
  const port = parts[2] === undefined ? '' : `:${parts[2]}`
  const target = parseTarget(`${scheme}://${parts[1]}${port}`)
  return target.ok ? fieldsOf(target) : undefined
}

/** The fields of a stored target; an unreadable one keeps its text as the host, so that nothing is lost. */
export function fieldsOfTarget(text: string): TargetFields {
  const target = parseTarget(text)
  return target.ok ? fieldsOf(target) : { scheme: 'http', host: text, port: null }
}

/** The target of the fields in its canonical form, or which of its parts is wrong. */
export function readTargetFields(
  fields: TargetFields,
): { ok: true; url: string } | { ok: false; code: TargetProblem | 'required' } {
  const host = fields.host.trim()
  if (host === '') return { ok: false, code: 'required' }
  // What is typed without brackets and holds two colons can only be an IPv6 address.
  const authority = /^[0-9a-f.:]*:[0-9a-f.:]*:[0-9a-f.:]*$/i.test(host) ? `[${host}]` : host
  const port = fields.port === null ? '' : `:${fields.port}`
  return parseTarget(`${fields.scheme}://${authority}${port}`)
}

const fieldsOf = (target: Target): TargetFields => ({
  scheme: target.scheme,
  host: target.host,
  port: target.port,
})
