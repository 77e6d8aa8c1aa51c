import type { Socket } from 'node:net'
import type { Logger } from '@homeport/runtime'
import { type FastifyInstance, fastify } from 'fastify'
import { AppError } from './app-error.ts'
import { type GuardOptions, installGuard } from './guard.ts'
import { answerProblem, installProblemAnswers } from './problem-answer.ts'
import { installSecurityHeaders } from './security-headers.ts'

/** The largest body of a call. */
const bodyLimitBytes = 256 * 1024

/** A request that has not arrived whole after this many ms is cut off. */
const requestTimeoutMs = 30_000

/** Idle connections of the relay are kept this long in ms, longer than the relay keeps them, so that it is never surprised. */
const keepAliveTimeoutMs = 75_000

/** The longest parameter in a path. */
const parameterLimit = 200

/** Makes the HTTP side without a route: guard, problem documents, headers, log. */
export function createHttpApp(options: GuardOptions & { logger: Logger }): FastifyInstance {
  const { logger } = options
  const app = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: parameterLimit },
    frameworkErrors: (error, request, reply) => answerProblem(error, request, reply, logger),
    clientErrorHandler: (_, socket) => refuseUnreadable(socket),
  })
  const paths = collectPaths(app)
  installProblemAnswers(app, logger)
  installGuard(app, options)
  installSecurityHeaders(app)
  installBodyParser(app)
  installLog(app, options)

  app.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?')
    const methods = paths.find(path)
    if (methods.length > 0) {
      reply.header('Allow', methods.join(', '))
      throw new AppError('method_not_allowed')
    }
    throw new AppError('not_found')
  })
  return app
}

function refuseUnreadable(socket: Socket): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  else socket.destroy()
}

/** JSON is the only body of a call: anything else answers `unsupported_media_type`. */
function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    // Some clients label the empty body of a DELETE as JSON.
    if (body.length === 0) return done(null, undefined)
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer)
      done(null, JSON.parse(text))
    } catch (cause) {
      done(new AppError('malformed_json', { cause }))
    }
  })
}

/** One line for each answer. The route's pattern stands in for the path: paths and queries may hold secrets. */
function installLog(app: FastifyInstance, { logger }: { logger: Logger }): void {
  app.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        request: request.facts?.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}

/** Remembers which methods each path takes, for `method_not_allowed`. */
function collectPaths(app: FastifyInstance) {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const pattern = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() })
  })
  return {
    find: (path: string) => [
      ...new Set(routes.filter(route => route.pattern.test(path)).flatMap(route => route.methods)),
    ],
  }
}
