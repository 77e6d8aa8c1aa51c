import { listOutbox } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountOpenCall } from '../http/mount.ts'

/** Mounts the outbox of development. It holds codes that open accounts, so it is for this machine alone. */
export function registerMessageRoutes(
  app: FastifyInstance,
  { outbox }: Pick<ServerContext, 'outbox'>,
): void {
  mountOpenCall(app, listOutbox, ({ request }) => {
    if (outbox === null || !isLoopback(request.address)) throw new AppError('not_found')
    return outbox.list()
  })
}

const isLoopback = (address: string) => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address)
