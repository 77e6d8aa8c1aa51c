import { Command } from 'commander'
import { createAdminCommand } from './admin/admin-command.ts'
import { runAgent } from './agent/run-agent.ts'
import { createCommand } from './command.ts'
import { agentOptions, upOptions } from './options.ts'
import { runUp } from './up/run-up.ts'
import { version } from './version.ts'

/** The `homeport` command with all its subcommands. */
export function createProgram(): Command {
  return new Command('homeport')
    .description('Remote access to home routers and devices (归港)')
    .version(version)
    .addCommand(
      createCommand(
        'up',
        'Run everything on one port: console, public names, agents',
        upOptions,
        runUp,
      ),
    )
    .addCommand(
      createCommand(
        'agent',
        'Run at home: pair this machine and keep it connected',
        agentOptions,
        runAgent,
      ),
    )
    .addCommand(createAdminCommand())
}
