/** One setting: how it is named, read and explained. The table of all of them also renders docs/environment.md. */
export interface Option<Value> {
  /** Environment variable, such as HOMEPORT_PORT. */
  readonly env: string
  /** Long flag, such as --port. */
  readonly flag: string
  /** What stands behind the flag in help, such as "number"; a switch like --demo has none. */
  readonly placeholder?: string
  /** Reads the value; throws an Error that says what is expected. */
  readonly parse: (text: string) => Value
  readonly default: Value
  /** How the default is written in documents where the value itself does not tell ("a file in the data folder"). */
  readonly defaultText?: string
  /** One sentence with units and bounds. */
  readonly doc: string
  readonly example?: string
  /** What 0, off or empty means where that is not plain, as a sentence: "0 turns it off." */
  readonly zero?: string
  /** A secret's value is never repeated in a message. */
  readonly isSecret?: boolean
}

/** Settings by the name the program uses; a flag parser such as commander gives the same names. */
// biome-ignore lint/suspicious/noExplicitAny: options of different values share a table only as `any`; ConfigOf types them.
export type OptionTable = Readonly<Record<string, Option<any>>>

/** The values a table leads to. */
export type ConfigOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never
}

/** Everything that is wrong with a configuration, one sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map(line => `- ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Describes an option; without a default its value may be undefined. */
export function option<Value>(spec: Option<Value>): Option<Value>
export function option<Value>(spec: Omit<Option<Value>, 'default'>): Option<Value | undefined>
export function option<Value>(spec: Omit<Option<Value>, 'default'>): Option<Value | undefined> {
  return { default: undefined, ...spec }
}

/** What a flag parser found for one name: nothing, a text, a switch, or a repeated flag's texts. */
export type FlagValue = string | boolean | readonly string[] | undefined

/** Where values come from. A flag wins over the environment, which wins over the default. */
export interface OptionSources {
  readonly flags: Readonly<Record<string, FlagValue>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Reads a whole table; throws one ConfigError that lists every problem. An empty variable counts as absent. */
export function readOptions<Table extends OptionTable>(
  table: Table,
  sources: OptionSources,
): ConfigOf<Table> {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(table)) {
    const given = findGiven(name, spec, sources)
    if (given === undefined) {
      values[name] = spec.default
      continue
    }
    try {
      values[name] = spec.parse(given.text)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const shown = spec.isSecret === true ? '' : `, not "${given.text}"`
      problems.push(`${given.source} ${reason}${shown}`)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return values as ConfigOf<Table>
}

function findGiven(
  name: string,
  spec: Pick<Option<unknown>, 'env' | 'flag'>,
  { flags, env }: OptionSources,
): { source: string; text: string } | undefined {
  const flag = flags[name]
  if (flag !== undefined) {
    return { source: spec.flag, text: Array.isArray(flag) ? flag.join(',') : String(flag) }
  }
  const text = env[spec.env]?.trim()
  return text === undefined || text === '' ? undefined : { source: spec.env, text }
}
