import { type ErrorCode, errorKinds, type Problem } from '@homeport/contract'
import type { Logger } from '@homeport/runtime'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import { describeProblem } from './input-problems.ts'
import { pickLanguage } from './language.ts'

/** Codes of the framework's own refusals; every other fault of its is ours. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** The address of a code's description; relative, so that it holds under every host (RFC 9457 section 3.1.1). */
const typeOf = (code: ErrorCode) => `/api/docs#error-${code}`

/** Makes every thrown error a problem document. What is not an AppError tells its request id and nothing else. */
export function installProblemAnswers(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, logger))
}

/** Answers one error; also for those that the framework meets before a route is found. */
export function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): void {
  const fault = readError(error)
  const kind = errorKinds[fault.code]
  const language = request.facts?.language ?? pickLanguage(request.headers['accept-language'])
  const requestId = request.facts?.id ?? request.id
  if (kind.report) logger.error({ err: error, request: requestId }, 'a call failed')
  const problem: Problem = {
    type: typeOf(fault.code),
    title: kind[language],
    status: kind.status,
    code: fault.code,
    detail: fault.detail ?? kind[language],
    ...(fault.errors.length === 0
      ? {}
      : { errors: fault.errors.map(item => describeProblem(item, language)) }),
    request_id: requestId,
  }
  if (fault.retryAfterSeconds !== undefined) reply.header('Retry-After', fault.retryAfterSeconds)
  reply
    .code(kind.status)
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept-Language')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}

function readError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = frameworkCodes[(error as Partial<FastifyError> | null)?.code ?? '']
  return new AppError(code ?? 'internal', { cause: error })
}
