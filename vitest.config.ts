import process from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'

// `npm run test:long` runs what takes minutes, and nothing else; a plain run leaves just that out.
const isLong = process.env.HOMEPORT_TEST_LONG === '1'
const longFiles = ['e2e/long/**', '**/*.long.test.ts']

// A person's pace in a browser: two of them share two cores well. What measures time or memory goes alone.
const storyFiles = ['e2e/{console,attack}-*.test.ts', 'e2e/main-story.test.ts']

// These wait for real time-outs and leave the processor alone: they run beside the stories.
const waitFiles = ['e2e/{faults-server,faults-silence,load-polls}.test.ts']

const endToEnd = {
  environment: 'node',
  testTimeout: isLong ? 1_800_000 : 120_000,
  hookTimeout: 120_000,
  // A browser on a busy machine takes its time; what must be quick says so where it polls.
  expect: { poll: { timeout: 30_000 } },
  setupFiles: 'e2e/support/evidence.ts',
} as const

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: isLong
            ? ['packages/*/src/**/*.long.test.ts']
            : ['packages/*/src/**/*.test.{ts,tsx}', '{scripts,bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isLong ? [] : longFiles)],
          environment: 'node',
          maxWorkers: 2,
          testTimeout: isLong ? 600_000 : 20_000,
          hookTimeout: 60_000,
          // Generous: a busy machine is no fault. What must be quick says so where it polls.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          ...endToEnd,
          name: 'stories',
          // Its attacks over https are of the long run.
          include: isLong ? ['e2e/attack-siblings.test.ts'] : storyFiles,
          exclude: [...configDefaults.exclude, ...(isLong ? [] : longFiles)],
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...endToEnd,
          name: 'waits',
          include: isLong ? [] : waitFiles,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...endToEnd,
          name: 'e2e',
          include: isLong
            ? ['e2e/long/**/*.test.ts', 'e2e/**/*.long.test.ts']
            : ['e2e/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...(isLong ? [] : [...longFiles, ...storyFiles, ...waitFiles]),
          ],
          fileParallelism: false,
        },
      },
    ],
  },
})
