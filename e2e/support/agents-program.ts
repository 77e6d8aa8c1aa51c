// Agents as a process of their own: the product's, each with its data folder. Started by `startAgents` in load.ts.
import { startAgent } from '@homeport/agent'
import { createLogger, type LogLevel } from '@homeport/runtime'
import { type MemoryReport, type ReportQuestion, watchMemory } from './memory-peak.ts'

/** What agents are told at their start. */
export interface AgentsOrders {
  readonly server: string
  readonly folders: readonly string[]
  /** PEM that is trusted instead of the system's certificates. */
  readonly ca: string | null
  readonly level: LogLevel
}

/** What agents answer when they are asked. */
export interface AgentsReport extends MemoryReport {
  /** Agents that hold a link now. */
  readonly linked: number
}

function runAgents({ server, folders, ca, level }: AgentsOrders): void {
  let linked = 0
  const logger = createLogger({ level, name: 'agent' })
  for (const dataFolder of folders) {
    startAgent({
      server: new URL(server),
      dataFolder,
      ...(ca !== null && { ca }),
      allow: [],
      allowLoopback: true,
      insecure: false,
      version: '0.1.0',
      logger,
      onLinked(isLinked) {
        linked += isLinked ? 1 : -1
      },
    })
  }
  const measure = watchMemory()
  process.on('message', question => {
    const report: AgentsReport = { ...measure(question as ReportQuestion), linked }
    process.send?.(report)
  })
  process.send?.({ started: folders.length })
}

// Whoever started it is gone: nothing is left behind.
process.once('disconnect', () => process.exit())
process.once('message', orders => runAgents(orders as AgentsOrders))
