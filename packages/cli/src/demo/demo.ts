import { join } from 'node:path'
import { type Agent, loadIdentity, savePairing, startAgent } from '@homeport/agent'
import type { Logger } from '@homeport/runtime'
import type { DemoHome } from '@homeport/server'
import { startDemoPages } from './home.ts'

/** The sample home of `--demo`: three LAN pages, and an agent that brings them out once its device exists. */
export interface Demo {
  /** What the server is told, so that it can give the home to the first administrator. */
  home: DemoHome
  /** Starts the agent as the device the server made. */
  link(uid: string): void
  stop(): Promise<void>
}

/** Where and as what the sample home runs. */
export interface DemoOptions {
  consoleUrl: string
  dataFolder: string
  version: string
  logger: Logger
}

/** Starts the pages; the agent follows with `link`. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { consoleUrl, version, logger } = options
  const dataFolder = join(options.dataFolder, 'demo-agent')
  const identity = await loadIdentity(dataFolder)
  const pages = await startDemoPages()
  let agent: Agent | undefined

  async function begin(uid: string): Promise<void> {
    await savePairing(dataFolder, identity, { server: consoleUrl, uid })
    agent = startAgent({
      server: new URL(consoleUrl),
      dataFolder,
      allow: [],
      allowLoopback: true,
      insecure: false,
      version,
      logger,
    })
    await agent.finished
  }

  return {
    home: {
      publicKey: identity.publicKey,
      deviceName: '示例之家',
      model: 'Homeport demo',
      agentVersion: version,
      pages: pages.list,
    },
    link(uid) {
      // The server's thread may start again while the agent runs; the device stays the same.
      if (agent !== undefined) return
      begin(uid).catch(error => logger.error({ err: error }, 'the sample home is offline'))
    },
    async stop() {
      await agent?.stop()
      await pages.close()
    },
  }
}
