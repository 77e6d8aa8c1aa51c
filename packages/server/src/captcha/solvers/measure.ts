import type { CaptchaKind } from '@homeport/contract'
import { type Answer, isWithin } from '../answers.ts'
import { createArtist } from '../drawing/artist.ts'
import { createGrain } from '../drawing/grain.ts'
import type { Random } from '../drawing/random.ts'
import { chooseSpots } from './choose-spots.ts'
import { scoreByReading } from './learned-solver.ts'
import type { LinearReader } from './linear-reader.ts'
import { comparePatches, type PatchSolver } from './patch-solvers.ts'
import { layOut, type Puzzle } from './puzzle.ts'

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

/** A solver: a name of those that know nothing, or a reader that learnt from the drawing itself. */
export type Solver = PatchSolver | LinearReader

/** Scores of each label at each spot; several where the solver weighs several readings of the whole. */
const scoresOf = (puzzle: Puzzle, solver: Solver) =>
  typeof solver === 'string' ? [comparePatches(puzzle, solver)] : scoreByReading(solver, puzzle)

/** The share of `count` challenges that each solver passes, with the full tolerance: its trace is taken for a hand's. */
export async function measureSolvers(
  kind: CaptchaKind,
  { count, seed, solvers }: { count: number; seed: number; solvers: Record<string, Solver> },
): Promise<Record<string, number>> {
  const draw = createArtist(createSeededRandom(seed))
  const ground = createGrain(createSeededRandom(seed + 1))
  const passed = Object.fromEntries(Object.keys(solvers).map(name => [name, 0]))
  for (let challenge = 0; challenge < count; challenge += 1) {
    const drawn = draw(kind)
    const puzzle = await layOut(drawn, ground)
    for (const [name, solver] of Object.entries(solvers)) {
      const value = puzzle.answer(chooseSpots(scoresOf(puzzle, solver), puzzle))
      const isPassed = isWithin(drawn as Exclude<Answer, { kind: 'work' }>, value, 1)
      passed[name] = (passed[name] ?? 0) + (isPassed ? 1 : 0)
    }
  }
  return Object.fromEntries(Object.entries(passed).map(([name, sum]) => [name, sum / count]))
}
