import { ConfigError, type ConfigOf, type OptionTable, readOptions } from '@homeport/runtime'
import { Command } from 'commander'

/** Statuses of sysexits.h, so that a supervisor can tell a wrong configuration from a crash. */
export const exitStatus = { failed: 1, usage: 64, configuration: 78 } as const

/** Makes a command from its option table: flags and environment are read together and every problem is told at once. */
export function createCommand<Table extends OptionTable>(
  name: string,
  description: string,
  table: Table,
  run: (options: ConfigOf<Table>, positional: string[]) => Promise<void>,
): Command {
  const command = new Command(name).description(description).allowExcessArguments(false)
  for (const spec of Object.values(table)) {
    const flag = spec.placeholder === undefined ? spec.flag : `${spec.flag} <${spec.placeholder}>`
    command.option(flag, `${spec.doc} (${spec.env}; default: ${describeDefault(spec)})`, collect)
  }
  command.action(async () => {
    try {
      await run(readOptions(table, { flags: command.opts(), env: process.env }), command.args)
    } catch (error) {
      fail(error)
    }
  })
  return command
}

// A flag given twice adds to a list; where one value is wanted the parser of the option refuses the comma.
const collect = (value: string, before: string | undefined) =>
  before === undefined ? value : `${before},${value}`

/** The default of an option as documents write it. */
export function describeDefault(spec: OptionTable[string]): string {
  if (spec.defaultText !== undefined) return spec.defaultText
  if (typeof spec.default === 'boolean') return spec.default ? 'on' : 'off'
  return String(spec.default)
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `${error.message}; stop what listens there, or choose another --port`
  if (code === 'EACCES') return `${error.message}; this user may not do that`
  return error.message
}

function fail(error: unknown): void {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = exitStatus.configuration
    return
  }
  process.stderr.write(`homeport: ${describeFailure(error)}\n`)
  process.exitCode = exitStatus.failed
}
