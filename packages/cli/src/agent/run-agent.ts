import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type Agent, startAgent } from '@homeport/agent'
import {
  ConfigError,
  type ConfigOf,
  createLogger,
  startParts,
  stopOnSignals,
  systemClock,
} from '@homeport/runtime'
import type { agentOptions } from '../options.ts'
import { version } from '../version.ts'

/** `homeport agent`: pairs at the first start, then stays connected until it is told to stop. */
export async function runAgent(options: ConfigOf<typeof agentOptions>): Promise<void> {
  const { server } = options
  if (server === undefined) throw new ConfigError(['--server must be given (HOMEPORT_SERVER)'])
  const logger = createLogger({ level: options.log, name: 'agent' })
  const agent = start(() =>
    startAgent({
      server,
      dataFolder: resolve(options.data),
      allow: options.allow.map(toCidr),
      allowLoopback: options.allowLoopback,
      insecure: options.insecure,
      version,
      logger,
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(options.name === undefined ? {} : { name: options.name }),
      onConfirmationLink: ({ url }) => {
        process.stdout.write(
          `\n在已登录的浏览器里打开此链接以绑定本设备（10 分钟内有效）:\n  ${url}\n\n`,
        )
      },
    }),
  )
  const running = await startParts([{ name: 'agent', close: () => agent.stop() }], {
    logger,
    clock: systemClock,
  })
  stopOnSignals(running, logger)
  await agent.finished
}

// A single address is a range of one.
function toCidr(text: string): string {
  const family = isIP(text)
  return family === 0 ? text : `${text}/${family === 4 ? 32 : 128}`
}

function start(make: () => Agent): Agent {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigError([error.message])
    throw error
  }
}
