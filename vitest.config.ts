import process from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'

// `npm run test:long` runs what takes minutes, and nothing else; a plain run leaves just that out.
const isLong = process.env.HOMEPORT_TEST_LONG === '1'
const longFiles = ['e2e/long/**', '**/*.long.test.ts']

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
          testTimeout: isLong ? 600_000 : 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: isLong
            ? ['e2e/long/**/*.test.ts', 'e2e/**/*.long.test.ts']
            : ['e2e/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isLong ? [] : longFiles)],
          environment: 'node',
          testTimeout: isLong ? 1_800_000 : 120_000,
          hookTimeout: 120_000,
          // A browser on a busy machine takes its time; what must be quick says so where it polls.
          expect: { poll: { timeout: 15_000 } },
          fileParallelism: false,
        },
      },
    ],
  },
})
