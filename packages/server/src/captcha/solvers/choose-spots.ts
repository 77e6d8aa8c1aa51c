import type { Found, Puzzle } from './puzzle.ts'

interface Choice {
  score: number
  found: Found[]
}

const nothing: Choice = { score: Number.NEGATIVE_INFINITY, found: [] }

const better = (a: Choice, b: Choice) => (b.score > a.score ? b : a)

/**
 * The best spots by scores of each label at each spot, of all `ways` to score them: where there are cells (a click) one for
 * each label in cells of their own, else one in all.
 */
export const chooseSpots = (
  ways: readonly (readonly (readonly number[])[])[],
  puzzle: Pick<Puzzle, 'spots'>,
): Found[] => ways.map(scores => chooseOf(scores, puzzle)).reduce(better, nothing).found

function chooseOf(
  scores: readonly (readonly number[])[],
  { spots }: Pick<Puzzle, 'spots'>,
): Choice {
  const cellCount = Math.max(...spots.map(({ cell }) => cell)) + 1
  const best = scores.map((row, label) => {
    const cells = Array.from({ length: cellCount }, () => nothing)
    spots.forEach((spot, index) => {
      const choice = { score: row[index] ?? 0, found: [{ label, spot }] }
      cells[spot.cell] = better(cells[spot.cell] ?? nothing, choice)
    })
    return cells
  })
  if (cellCount === 1) return best.flat().reduce(better, nothing)
  return best
    .reduce<Choice[]>(
      (all, row) =>
        all.flatMap(choice =>
          row
            .filter(({ found: [next] }) =>
              choice.found.every(({ spot }) => spot.cell !== next?.spot.cell),
            )
            .map(({ score, found }) => ({
              score: choice.score + score,
              found: [...choice.found, ...found],
            })),
        ),
      [{ score: 0, found: [] }],
    )
    .reduce(better, nothing)
}
