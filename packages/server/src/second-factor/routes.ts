import {
  confirmSecondFactor,
  disableSecondFactor,
  enrolSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { mountCall } from '../http/mount.ts'
import type { SecondFactor } from './service.ts'

/** Mounts the calls of the own two-step codes. */
export function registerSecondFactorRoutes(
  app: FastifyInstance,
  { secondFactor }: { secondFactor: SecondFactor },
): void {
  mountCall(app, getSecondFactor, ({ actor }) => secondFactor.state(actor.userId))

  mountCall(app, enrolSecondFactor, ({ actor }) => secondFactor.enrol(actor))

  mountCall(app, confirmSecondFactor, async ({ actor, body, request }) => ({
    recovery_codes: await secondFactor.confirm(actor, body.code, request),
  }))

  mountCall(app, renewRecoveryCodes, async ({ actor, body, request }) => ({
    recovery_codes: await secondFactor.renewRecoveryCodes(actor, body.code, request),
  }))

  mountCall(app, disableSecondFactor, ({ actor, body, request }) =>
    secondFactor.disable(actor, body.code, request),
  )
}
