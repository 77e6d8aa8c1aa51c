import type { z } from 'zod'
import { type ErrorCode, errorKinds, isErrorCode } from '../errors.ts'
import { type InputProblem, problemSchema } from '../problem.ts'
import type { Call, CallArguments, CallResult } from './call.ts'

/** Why a call gave no result: the server's code, or that no (readable) answer came at all. */
export type CallFailureCode =
  | ErrorCode
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'unreadable'
  | 'unknown'

/** Thrown by the client. `status` is 0 where no answer came. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: CallFailureCode
  readonly status: number
  readonly errors: readonly InputProblem[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: CallFailureCode,
    options: {
      detail: string
      status?: number
      errors?: readonly InputProblem[]
      requestId?: string | undefined
      retryAfterSeconds?: number | undefined
      cause?: unknown
    },
  ) {
    super(options.detail, { cause: options.cause })
    this.code = code
    this.status = options.status ?? 0
    this.errors = options.errors ?? []
    this.requestId = options.requestId
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** What the client needs from its surroundings. */
export interface ClientOptions {
  /** Origin the paths are put behind, without a trailing slash; empty in the browser. */
  baseUrl: string
  fetch: typeof fetch
  /** Headers of every call: the CSRF header in the console, a bearer token elsewhere. Asked anew each time. */
  headers?: () => Record<string, string>
}

/** Options of one call. There is no time-out unless `timeoutMs` is given (client.md section 9). */
export interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}

/** A typed client: `call(definition, {params, query, body})` gives the body of a 2xx answer or throws CallError. */
export interface Client {
  call<C extends Call>(
    call: C,
    args: CallArguments<C>,
    options?: CallOptions,
  ): Promise<CallResult<C>>
}

type LooseArguments = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Puts parameters into the path and the query behind it; absent values are left out. */
export function buildPath(call: Call, args: LooseArguments): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args.params?.[name]
    if (value === undefined) throw new TypeError(`${call.name}: path parameter ${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Makes a client on a `fetch`. A status from 200 to 299 is success. */
export function createClient(options: ClientOptions): Client {
  return {
    async call<C extends Call>(call: C, args: CallArguments<C>, callOptions: CallOptions = {}) {
      const loose = args as LooseArguments
      const response = await send(options, call, loose, callOptions)
      if (response.status < 200 || response.status > 299) throw await readFailure(response)
      return (await readResult(call, response)) as CallResult<C>
    },
  }
}

async function send(
  options: ClientOptions,
  call: Call,
  args: LooseArguments,
  { signal, timeoutMs }: CallOptions,
): Promise<Response> {
  const signals = [
    ...(signal === undefined ? [] : [signal]),
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ]
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers?.() }
  const init: RequestInit = { method: call.method, headers, credentials: 'same-origin' }
  if (args.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(args.body)
  }
  if (signals.length > 0) init.signal = AbortSignal.any(signals)
  try {
    return await options.fetch(options.baseUrl + buildPath(call, args), init)
  } catch (cause) {
    throw describeNoAnswer(cause)
  }
}

function describeNoAnswer(cause: unknown): CallError {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'TimeoutError') return new CallError('timeout', { detail: '请求超时。', cause })
  if (name === 'AbortError') return new CallError('aborted', { detail: '请求已取消。', cause })
  return new CallError('network', { detail: '无法连接服务器，请检查网络。', cause })
}

async function readResult(call: Call, response: Response): Promise<unknown> {
  const schema: z.ZodType | null | undefined = call.responses[response.status]
  if (schema === undefined || schema === null) return undefined
  const body = await response.json().catch((cause: unknown) => {
    throw unreadable(response, cause)
  })
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(response, parsed.error)
  return parsed.data
}

const unreadable = (response: Response, cause: unknown) =>
  new CallError('unreadable', { detail: '服务器的回答无法识别。', status: response.status, cause })

async function readFailure(response: Response): Promise<CallError> {
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  const retryAfterSeconds = Number.isNaN(retryAfter) ? undefined : retryAfter
  // A proxy in between may answer with anything; what cannot be read is an unknown failure with its status.
  const parsed = problemSchema.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) {
    return new CallError('unknown', {
      detail: errorKinds.unavailable.zh,
      status: response.status,
      retryAfterSeconds,
    })
  }
  const problem = parsed.data
  return new CallError(isErrorCode(problem.code) ? problem.code : 'unknown', {
    detail: problem.detail,
    status: response.status,
    errors: problem.errors ?? [],
    requestId: problem.request_id,
    retryAfterSeconds,
  })
}
