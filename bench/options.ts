import { parseArgs } from 'node:util'
import { parseChoice, parseInteger, parseList } from '@homeport/runtime'
import type { Rounds } from './race.ts'
import { type WayId, wayIds } from './way.ts'

const kinds = ['http', 'tcp'] as const

/** What a run is asked for. */
export interface Options {
  readonly rounds: Rounds
  readonly only: readonly (typeof kinds)[number][]
  /** Ways to measure; empty: all but the extra ones. */
  readonly ways: readonly WayId[]
}

/** Reads `--rounds`, `--seconds`, `--bulk-seconds`, `--only` and `--ways`. Throws an Error that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      'bulk-seconds': { type: 'string', default: '1.5' },
      only: { type: 'string', default: kinds.join(',') },
      ways: { type: 'string', default: '' },
    },
  })
  return {
    rounds: {
      rounds: read('--rounds', parseInteger(1, 100), values.rounds),
      // wrk takes whole seconds only.
      seconds: read('--seconds', parseInteger(1, 60), values.seconds),
      bulkSeconds: read('--bulk-seconds', parseSeconds, values['bulk-seconds']),
    },
    only: read('--only', parseList(parseChoice(...kinds)), values.only),
    ways: read('--ways', parseList(parseChoice(...wayIds)), values.ways),
  }
}

function parseSeconds(text: string): number {
  const value = Number(text)
  if (!(value >= 0.1 && value <= 60)) throw new Error('must be a number from 0.1 to 60')
  return value
}

function read<Value>(flag: string, parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text)
  } catch (cause) {
    throw new Error(`${flag} ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
