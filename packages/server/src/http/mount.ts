import { Readable } from 'node:stream'
import type { Call, CallAccess, CallInput, CallResult } from '@homeport/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor } from './actor.ts'
import { AppError, type InputProblemKey } from './app-error.ts'
import type { Browser } from './browser.ts'
import { findHostileParts, readIssues } from './input-problems.ts'
import type { RequestFacts } from './request-facts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on every call of the contract: what the guard holds it to. */
    access?: CallAccess
    /** Set on a GET that leaves something behind. */
    writes?: true
  }
  interface FastifyRequest {
    facts: RequestFacts
    browser: Browser
  }
}

/** What a handler is given: parsed input, who calls, the facts of the request and the browser's cookies. */
export type HandlerInput<C extends Call, A> = CallInput<C> & {
  actor: A
  request: RequestFacts
  browser: Pick<Browser, 'csrfValue' | 'startSession' | 'endSession'>
}

type Answer<C extends Call> = [CallResult<C>] extends [undefined]
  ? Promise<void>
  : CallResult<C> | Promise<CallResult<C>>

/** Does a call; gives the body of its success answer. */
export type Handler<C extends Call, A> = (input: HandlerInput<C, A>) => Answer<C>

/** Mounts a call that needs a session (`signed_in`, `staff`, `recent`). */
export function mountCall<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C, Actor>,
): void {
  if (call.access === 'anyone' || call.access === 'agent') {
    throw new TypeError(`${call.name} has no actor: mount it as an open call`)
  }
  mount(app, call, (request, input) => {
    // The guard refused before; without it nothing is done in anybody's name.
    if (request.browser.actor === null) throw new AppError('not_signed_in')
    return handler({ ...input, actor: request.browser.actor })
  })
}

/** Mounts a call that needs no session (`anyone`, `agent`); for `agent` there is never an actor. */
export function mountOpenCall<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C, Actor | null>,
): void {
  if (call.access !== 'anyone' && call.access !== 'agent') {
    throw new TypeError(`${call.name} needs an actor: do not mount it as an open call`)
  }
  mount(app, call, (request, input) => handler({ ...input, actor: request.browser.actor }))
}

/** A file as an answer: its parts are made while they are sent. */
export interface Download {
  fileName: string
  parts: AsyncIterable<string>
}

/** Mounts a call whose answer is a JSON file too large to be made whole; what its parts say is the handler's to keep right. */
export function mountDownload<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: (input: HandlerInput<C, Actor>) => Download | Promise<Download>,
): void {
  const [status] = readResponse(call)
  app.route({
    method: call.method,
    url: pathOf(call),
    config: { access: call.access },
    handler: async (request, reply) => {
      const { actor } = request.browser
      if (actor === null) throw new AppError('not_signed_in')
      const parsed = parseInput(call, request) as CallInput<C>
      const { facts, browser } = request
      const { fileName, parts } = await handler({ ...parsed, actor, request: facts, browser })
      return reply
        .code(status)
        .type('application/json')
        .header('Content-Disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(parts))
    },
  })
}

const pathOf = (call: Call) => call.path.replace(/\{(\w+)\}/g, ':$1')

type Run<C extends Call> = (
  request: FastifyRequest,
  input: Omit<HandlerInput<C, never>, 'actor'>,
) => unknown

function mount<C extends Call>(app: FastifyInstance, call: C, run: Run<C>): void {
  const [status, schema] = readResponse(call)
  app.route({
    method: call.method,
    url: pathOf(call),
    config: { access: call.access, ...(call.writes && { writes: call.writes }) },
    handler: async (request, reply) => {
      const parsed = parseInput(call, request)
      const result = await run(request, {
        ...(parsed as CallInput<C>),
        request: request.facts,
        browser: request.browser,
      })
      // Parsing the answer cuts what the contract does not list; an answer that does not fit is our fault, not the caller's.
      reply.code(status)
      return schema === null ? undefined : schema.parse(result)
    },
  })
}

function readResponse(call: Call): [status: number, schema: z.ZodType | null] {
  const [entry, ...others] = Object.entries(call.responses)
  if (entry === undefined || others.length > 0) {
    throw new TypeError(`${call.name}: exactly one success status is mounted`)
  }
  return [Number(entry[0]), entry[1]]
}

/** Parses all parts and reports the problems of all of them at once. */
export function parseInput(call: Call, request: FastifyRequest) {
  const problems: InputProblemKey[] = []
  const parse = (schema: z.ZodType | undefined, raw: unknown): unknown => {
    if (schema === undefined) return undefined
    const result = schema.safeParse(raw)
    if (result.success) problems.push(...findHostileParts(result.data))
    else problems.push(...readIssues(result.error.issues, raw))
    return result.data
  }
  const input = {
    params: parse(call.params, request.params),
    query: parse(call.query, request.query),
    // No body at all is an empty one: its answer names every field that is missing.
    body: parse(call.body, request.body === undefined ? {} : request.body),
  }
  if (problems.length > 0) throw new AppError('invalid_input', { errors: problems })
  return input
}
