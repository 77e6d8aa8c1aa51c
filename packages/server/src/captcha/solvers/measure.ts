import type { CaptchaKind } from '@homeport/contract'
import { type Answer, isWithin } from '../answers.ts'
import { createArtist, type Drawn } from '../drawing/artist.ts'
import type { Random } from '../drawing/random.ts'
import { solveClick } from './click-solver.ts'
import { discSolvers, solveDisc } from './disc-solvers.ts'
import { solveTile, tileSolvers } from './tile-solvers.ts'

/** Numbers that come again with the same seed (mulberry32): for tests alone. */
export function createSeededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every solver by kind; each gives the value a browser would send. */
const solvers = {
  slide: tileNames().map(name => ({
    name,
    solve: async (drawn: Drawn) =>
      drawn.kind === 'slide' ? solveTile('slide', drawn.data, name) : [],
  })),
  slide_region: tileNames().map(name => ({
    name,
    solve: async (drawn: Drawn) =>
      drawn.kind === 'slide_region' ? solveTile('slide_region', drawn.data, name) : [],
  })),
  rotate: (Object.keys(discSolvers) as (keyof typeof discSolvers)[]).map(name => ({
    name,
    solve: async (drawn: Drawn) =>
      drawn.kind === 'rotate' ? { angle: await solveDisc(drawn.data, name) } : [],
  })),
  click: [
    {
      name: 'glyphs',
      solve: async (drawn: Drawn) => (drawn.kind === 'click' ? solveClick(drawn.data) : []),
    },
  ],
} satisfies Record<CaptchaKind, unknown>

function tileNames() {
  return Object.keys(tileSolvers) as (keyof typeof tileSolvers)[]
}

/** The share of `count` challenges that each solver passes, with the full tolerance: its trace is taken for a hand's. */
export async function measureSolvers(
  kind: CaptchaKind,
  { count, seed, only }: { count: number; seed: number; only?: string },
): Promise<Record<string, number>> {
  const draw = createArtist(createSeededRandom(seed))
  const passed: Record<string, number> = {}
  for (let challenge = 0; challenge < count; challenge += 1) {
    const drawn = draw(kind)
    for (const { name, solve } of solvers[kind]) {
      if (only !== undefined && name !== only) continue
      const value = await solve(drawn)
      const isPassed = isWithin(drawn as Exclude<Answer, { kind: 'work' }>, value, 1)
      passed[name] = (passed[name] ?? 0) + (isPassed ? 1 : 0)
    }
  }
  return Object.fromEntries(Object.entries(passed).map(([name, sum]) => [name, sum / count]))
}
