import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { runKillRounds } from '../support/kill-rounds.ts'
import { startHomeport } from '../support/processes.ts'

const rounds = Number(process.env.HOMEPORT_KILL_ROUNDS ?? 30)

it(
  `${rounds} kills of npm start in the middle of writes lose nothing that was acknowledged`,
  async () => {
    // A folder of its own shows what the killed ones leave among the temporary files.
    const temporary = await mkdtemp(join(tmpdir(), 'homeport-e2e-'))
    const env = { TMPDIR: temporary }
    const startedAt = performance.now()
    const figures = await runKillRounds(rounds, again =>
      startHomeport([], { ...again, env, throughNpm: true }),
    )
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const sum = Object.values(figures.acknowledged).reduce((all, one) => all + one, 0)
    console.log(`kill -9 on npm start: ${sum} acknowledged writes, ${seconds} s`, figures)
    for (const count of Object.values(figures.acknowledged)) expect(count).toBeGreaterThan(0)
    // Each start has removed what the kill before it left, so only the last one's is there.
    const left = (await readdir(temporary)).filter(name => name.startsWith('homeport-'))
    expect(left).toHaveLength(1)
    await rm(temporary, { recursive: true })
  },
  rounds * 60_000,
)
