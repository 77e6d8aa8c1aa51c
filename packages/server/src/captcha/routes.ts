import { getCaptcha, initCaptcha, solveCaptcha, workKind } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { mountOpenCall } from '../http/mount.ts'
import type { PasswordCheck } from '../sign-in/password-check.ts'
import type { Captchas } from './service.ts'

/** Mounts the calls of the captcha. */
export function registerCaptchaRoutes(
  app: FastifyInstance,
  {
    config,
    captchas,
    check,
  }: {
    config: Pick<ServerConfig, 'mode'>
    captchas: Captchas
    check: Pick<PasswordCheck, 'needsCaptcha'>
  },
): void {
  // Of the account nothing is told here: whoever asks would learn how often others failed at it.
  mountOpenCall(app, initCaptcha, async ({ query, request }) => ({
    required: query.scene !== 'login' || (await check.needsCaptcha(request.address)),
  }))

  mountOpenCall(app, getCaptcha, ({ query, request }) => {
    const isHonoured = query.kind === workKind || config.mode === 'development'
    return captchas.create(query.scene, request.address, isHonoured ? query.kind : undefined)
  })

  mountOpenCall(app, solveCaptcha, async ({ body, request }) => ({
    ticket: await captchas.solve(body, request.address),
  }))
}
