import { isCode, isTest, type SourceFile } from './source-files.ts'

/** What must not stand in a file: `applies` narrows the rule to some files. */
type WordRule = { pattern: RegExp; reason: string; applies?: (file: string) => boolean }

// Put together from parts, so that this file does not contain what it looks for.
const REGISTRY_HOSTS = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['registry', 'npmmirror', 'com'],
  ['npm', 'pkg', 'github', 'com'],
].map(parts => parts.join('\\.'))

// Marks of unfinished work, likewise in parts.
const OPEN_ENDS = [
  ['TO', 'DO'],
  ['FIX', 'ME'],
  ['X', 'XX'],
].map(parts => parts.join(''))

const RULES: readonly WordRule[] = [
  {
    pattern: new RegExp(REGISTRY_HOSTS.join('|')),
    reason: 'names a package registry: anybody may install from a mirror',
  },
  {
    pattern: new RegExp(
      `(?:^|[\\s'"\`(=:])(?:/${'work'}/|/${'root'}/|/${'Users'}/|[A-Z]:\\\\${'Users'}\\\\)`,
    ),
    reason: 'names a path of one machine',
  },
  {
    pattern: new RegExp(`\\b(?:${OPEN_ENDS.join('|')})\\b`),
    reason: 'finish it, or write it into docs/out-of-scope.md',
    applies: isCode,
  },
  {
    pattern: new RegExp('toHaveBeen' + 'Called'),
    reason: 'asserts a call instead of behaviour that a user or a peer can see',
    applies: isTest,
  },
]

/** Lists lines with words that must not stand in the repository. */
export function findForbiddenWords(files: readonly SourceFile[]): string[] {
  return files.flatMap(file => {
    const rules = RULES.filter(rule => rule.applies?.(file.path) ?? true)
    return file.text
      .split('\n')
      .flatMap((line, index) =>
        rules
          .filter(rule => rule.pattern.test(line))
          .map(rule => `${file.path}:${index + 1}: ${rule.reason}`),
      )
  })
}
