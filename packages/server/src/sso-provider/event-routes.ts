import { type CallInput, pollSsoEvents } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { parseInput } from '../http/mount.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import { bindingOf } from './binding.ts'
import type { SsoEvents } from './events.ts'

/** Mounts the long poll. */
export function registerSsoEventRoutes(
  app: FastifyInstance,
  { events, keys }: { events: SsoEvents } & Pick<ServerContext, 'keys'>,
): void {
  // No HEAD: it would hold a place for an answer that nobody reads.
  const options = { config: { access: pollSsoEvents.access }, exposeHeadRoute: false }
  app.get(pollSsoEvents.path, options, async (request, reply) => {
    const { query } = parseInput(pollSsoEvents, request) as CallInput<typeof pollSsoEvents>
    const answer = await events.poll({
      category: query.category,
      binding: bindingOf(keys.ssoBrowser, request.browser.csrfValue),
      limitKey: limitKeyOf(request.facts.address),
      sinceTime: query.since_time,
      timeoutSeconds: query.timeout,
      // Not the request's own end: that comes as soon as it was read.
      onGone: listener => reply.raw.once('close', listener),
    })
    return pollSsoEvents.responses[200].parse(answer)
  })
}
