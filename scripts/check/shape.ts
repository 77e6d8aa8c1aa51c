import path from 'node:path'
import { isCode, isTest, type SourceFile } from './source-files.ts'

const PRODUCT_LINES_LIMIT = 500
const TEST_LINES_LIMIT = 800

/** Lists files that are longer than a reader can hold in mind. */
export function findLongFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(file => {
    if (!isCode(file.path) && !/\.(?:css|sh)$/.test(file.path)) return []
    const limit = isTest(file.path) ? TEST_LINES_LIMIT : PRODUCT_LINES_LIMIT
    const lines = file.text.split('\n').length - 1
    return lines > limit ? [`${file.path}: ${lines} lines, the limit is ${limit}`] : []
  })
}

// "accounts", "head-parser", "x.test", "vite.config", "zh-CN"
const KEBAB_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/
const PASCAL_NAME = /^[A-Z][A-Za-z0-9]*(?:\.test)?$/
const LANGUAGE_NAME = /^[a-z]{2}-[A-Z]{2}$/
const VAGUE_FOLDERS = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared']

/** Lists code files whose name or place breaks the rules of the rooms. */
export function findMisplacedFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter(file => isCode(file.path))
    .flatMap(file => judgePlace(file.path).map(problem => `${file.path}: ${problem}`))
}

function judgePlace(file: string): string[] {
  const problems: string[] = []
  const name = path.posix.basename(file).replace(/\.[a-z]+$/, '')
  const isNamed =
    KEBAB_NAME.test(name) ||
    LANGUAGE_NAME.test(name) ||
    (file.endsWith('.tsx') && PASCAL_NAME.test(name))
  if (!isNamed) problems.push('name it in kebab-case, a component in PascalCase')

  const folders = path.posix.dirname(file).split('/')
  const vague = folders.find(folder => VAGUE_FOLDERS.includes(folder))
  if (vague !== undefined)
    problems.push(`a folder called ${vague} says nothing about what it holds`)

  const depth = folders[0] === 'packages' ? folders.length - 3 : 0
  // The console's features/<domain>/{api,components} are the one place with a third level.
  const limit = folders[3] === 'features' ? 3 : 2
  if (depth > limit) problems.push(`${depth} folders under src/, the limit is ${limit}`)
  return problems
}
