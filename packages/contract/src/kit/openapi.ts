import { z } from 'zod'
import { calls } from '../calls.ts'
import { errorKinds } from '../errors.ts'
import { eventsPath, userEventSchema } from '../events.ts'
import { problemSchema } from '../problem.ts'
import type { Call, CallAccess } from './call.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

const parametersOf = (fields: z.ZodObject | undefined, where: 'path' | 'query'): Json[] =>
  Object.entries(fields?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || !z.safeParse(schema as z.ZodType, undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))

const errorsOfAccess: Record<CallAccess, readonly (keyof typeof errorKinds)[]> = {
  anyone: [],
  agent: [],
  signed_in: ['not_signed_in'],
  recent: ['not_signed_in', 'recent_sign_in_required'],
  staff: ['not_signed_in', 'forbidden'],
}

function errorsOf(call: Call): Json {
  const codes = new Set([
    ...call.errors,
    ...errorsOfAccess[call.access],
    ...(call.body === undefined ? [] : (['malformed_json'] as const)),
    ...((call.body ?? call.query ?? call.params) ? (['invalid_input'] as const) : []),
    ...(call.method === 'GET' || call.access === 'agent' ? [] : (['csrf_failed'] as const)),
    'rate_limited' as const,
  ])
  const byStatus = Map.groupBy(codes, code => errorKinds[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: list.map(code => `\`${code}\`: ${errorKinds[code].en}`).join('\n'),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  )
}

const securityOf = (access: CallAccess): Json[] =>
  access === 'anyone' || access === 'agent' ? [] : [{ session: [] }]

function operationOf(call: Call): Json {
  const responses = Object.entries(call.responses).map(([status, schema]) => [
    status,
    schema === null
      ? { description: 'Done; no body.' }
      : {
          description: 'Done.',
          content: { 'application/json': { schema: schemaOf(schema, 'output') } },
        },
  ])
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.tag],
    security: securityOf(call.access),
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(call.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(call.body, 'input') } },
          },
        }),
    responses: { ...Object.fromEntries(responses), ...errorsOf(call) },
  }
}

const eventsOperation: Json = {
  operationId: 'streamEvents',
  summary: 'Live events of the signed-in user (Server-Sent Events)',
  tags: ['events'],
  security: [{ session: [] }],
  responses: {
    200: {
      description: 'A stream; the data of each event is one of the schema.',
      content: { 'text/event-stream': { schema: schemaOf(userEventSchema, 'output') } },
    },
  },
}

/** The OpenAPI 3.1 document of the whole contract. */
export function toOpenApi(version: string): Json {
  const paths: Record<string, Json> = { [eventsPath]: { get: eventsOperation } }
  for (const call of calls) {
    const path = paths[call.path] ?? {}
    paths[call.path] = path
    path[call.method.toLowerCase()] = operationOf(call)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Homeport API',
      version,
      description:
        'Remote access to home routers and devices. Errors are RFC 9457 problem documents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'hp_session' } },
      schemas: { Problem: schemaOf(problemSchema, 'output') },
    },
  }
}
