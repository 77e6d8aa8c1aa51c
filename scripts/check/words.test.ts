import { expect, test } from 'vitest'
import { findForbiddenWords } from './words.ts'

const judge = (path: string, text: string) => findForbiddenWords([{ path, text }])

// Split, so that this file passes its own check.
test.each([
  ['package-lock.json', `"resolved": "https://${'registry'}.npmjs.org/a.tgz"`],
  ['docs/a.md', `see \`/${'work'}/main\``],
  ['packages/relay/src/a.ts', `const a = '/${'Users'}/me'`],
  ['packages/relay/src/a.ts', `// ${'TO'}DO later`],
  ['packages/relay/src/a.test.ts', `expect(f).toHaveBeen${'Called'}()`],
])('%s must not hold %s', (path, text) => {
  expect(judge(path, `first\n${text}\n`)).toEqual([expect.stringMatching(`^${path}:2: `)])
})

test.each([
  ['packages/relay/src/a.ts', "const url = 'https://example.com/work/x'"],
  ['packages/relay/src/a.ts', "import.meta.dirname + '/work'"],
  ['docs/a.md', 'npm ci'],
])('%s may hold %s', (path, text) => {
  expect(judge(path, text)).toEqual([])
})
