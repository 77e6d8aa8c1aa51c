import { expect, test } from 'vitest'
import { findImportProblems, readImports } from './imports.ts'

const judge = (path: string, text: string, ...others: string[]) =>
  findImportProblems([{ path, text }, ...others.map(other => ({ path: other, text: '' }))])

test('static, side-effect, re-exported and dynamic imports are read', () => {
  const text = [
    "import a from 'a'",
    "import type { B } from './b.ts'",
    "import './c.css'",
    "export * from './d.ts'",
    'import {\n  one,\n  two,\n} from "e"',
    "const page = () => import('./f.tsx')",
    "export const from = 'not an import'",
  ].join('\n')
  expect(readImports(text).sort()).toEqual(['./b.ts', './c.css', './d.ts', './f.tsx', 'a', 'e'])
})

test.each([
  ['packages/contract/src/a.ts', '@homeport/runtime'],
  ['packages/runtime/src/a.ts', '@homeport/contract'],
  ['packages/server/src/a.ts', '@homeport/tunnel'],
  ['packages/relay/src/a.ts', '@homeport/server'],
  ['packages/agent/src/a.ts', '@homeport/relay'],
  ['packages/console/src/a.ts', '@homeport/server'],
  ['packages/cli/src/a.ts', '@homeport/testkit'],
  ['packages/server/src/a.ts', '@homeport/testkit'],
])('%s must not import %s', (file, wanted) => {
  expect(judge(file, `import { x } from '${wanted}'`)).toHaveLength(1)
})

test.each([
  ['packages/server/src/a.ts', '@homeport/contract/gate'],
  ['packages/server/src/a.test.ts', '@homeport/testkit'],
  ['packages/testkit/src/a.ts', '@homeport/server'],
  ['e2e/story.test.ts', '@homeport/testkit'],
])('%s may import %s', (file, wanted) => {
  expect(judge(file, `import { x } from '${wanted}'`)).toEqual([])
})

test('a domain may take the service of another, never its store', () => {
  const from = 'packages/server/src/records/service.ts'
  expect(judge(from, "import { x } from '../devices/service.ts'")).toEqual([])
  expect(judge(from, "import { x } from './store.ts'")).toEqual([])
  expect(judge(from, "import { x } from '../devices/store.ts'")).toEqual([
    `${from}: records imports the store of devices: call its service`,
  ])
  expect(judge('packages/server/src/app.ts', "import { x } from './devices/store.ts'")).toEqual([])
})

test('a relative path does not cross a package border', () => {
  expect(
    judge('packages/server/src/a.ts', "import { x } from '../../relay/src/b.ts'"),
  ).toHaveLength(1)
})

test('product code does not import a test', () => {
  expect(judge('packages/server/src/a.ts', "import { x } from './b.test.ts'")).toHaveLength(1)
})

test('a ring is reported once, with its files in order', () => {
  const files = [
    { path: 'packages/relay/src/a.ts', text: "import { b } from './b.ts'" },
    { path: 'packages/relay/src/b.ts', text: "import { c } from './c.ts'" },
    { path: 'packages/relay/src/c.ts', text: "import { b } from './b.ts'" },
  ]
  expect(findImportProblems(files)).toEqual([
    'ring of imports: packages/relay/src/b.ts → packages/relay/src/c.ts → packages/relay/src/b.ts',
  ])
})
