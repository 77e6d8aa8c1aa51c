import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/** HTTP methods the API uses. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Who may make a call. `anyone`: no session needed. `signed_in`: a live session. `staff`: a session of staff.
 * `recent`: a session whose last sign-in is at most 10 minutes old. `agent`: no session and no cookie, the
 * call carries its own proof and is exempt from CSRF.
 */
export type CallAccess = 'anyone' | 'signed_in' | 'staff' | 'recent' | 'agent'

type Fields = z.ZodObject

/** One call as a value: the typed client, the server's route and the OpenAPI page are all made from it. */
export interface Call<
  Params extends Fields | undefined = Fields | undefined,
  Query extends Fields | undefined = Fields | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Responses extends CallResponses = CallResponses,
> {
  /** Stable name, unique in the contract; the operation id of the OpenAPI document. */
  readonly name: string
  readonly method: Method
  /** Path with its trailing slash exactly as served; parameters as `{id}`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly access: CallAccess
  /** A GET that leaves something behind: the CSRF header is asked of it too, or an image elsewhere could make the call. */
  readonly writes?: true
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Schema for each success status; `null` where the answer has no body. Unlisted fields are cut. */
  readonly responses: Responses
  /** Codes this call may answer beside those that every call of its access may. */
  readonly errors: readonly ErrorCode[]
}

/** Success statuses and the schema of each body. */
export type CallResponses = { readonly [status: number]: z.ZodType | null }

/** The parsed input that a handler gets, and (unparsed) what a client passes. */
export interface CallInput<C extends Call> {
  params: C['params'] extends Fields ? z.output<C['params']> : undefined
  query: C['query'] extends Fields ? z.output<C['query']> : undefined
  body: C['body'] extends z.ZodType ? z.output<C['body']> : undefined
}

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema>
    ? { [key in Name]?: z.input<Schema> }
    : { [key in Name]: z.input<Schema> }
  : Record<never, never>

/** What a client passes to make the call: only the parts that the call has. */
export type CallArguments<C extends Call> = Part<'params', C['params']> &
  Part<'query', C['query']> &
  Part<'body', C['body']>

type ResponseBodies<R extends CallResponses> = {
  [status in keyof R]: R[status] extends z.ZodType ? z.output<R[status]> : undefined
}[keyof R]

/** The body of any success answer of the call. */
export type CallResult<C extends Call> = ResponseBodies<C['responses']>

interface Definition<P, Q, B, R> {
  name: string
  method: Method
  path: string
  summary: string
  tag: string
  access: CallAccess
  writes?: true
  params?: P
  query?: Q
  body?: B
  responses: R
  errors?: readonly ErrorCode[]
}

/** Makes a call value; the types of its parts are kept. */
export function defineCall<
  P extends Fields | undefined = undefined,
  Q extends Fields | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const R extends CallResponses = CallResponses,
>(definition: Definition<P, Q, B, R>): Call<P, Q, B, R> {
  return {
    ...definition,
    params: definition.params as P,
    query: definition.query as Q,
    body: definition.body as B,
    errors: definition.errors ?? [],
  }
}
