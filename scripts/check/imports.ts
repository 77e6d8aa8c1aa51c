import path from 'node:path'
import { isCode, isTest, type SourceFile } from './source-files.ts'

// Who may import whom. `contract`, `tunnel` and `runtime` stand alone; nothing but tests takes the testkit.
const ALLOWED: Record<string, readonly string[]> = {
  contract: [],
  tunnel: [],
  runtime: [],
  server: ['contract', 'runtime'],
  relay: ['contract', 'tunnel', 'runtime'],
  agent: ['contract', 'tunnel', 'runtime'],
  console: ['contract'],
  cli: ['contract', 'tunnel', 'runtime', 'server', 'relay', 'agent'],
  testkit: ['contract', 'tunnel', 'runtime', 'server', 'relay', 'agent', 'console', 'cli'],
}

/** Lists every import that breaks a rule of the rooms, and every ring of files. */
export function findImportProblems(files: readonly SourceFile[]): string[] {
  const code = files.filter(file => isCode(file.path))
  const known = new Set(code.map(file => file.path))
  const problems: string[] = []
  const graph = new Map<string, string[]>()
  for (const file of code) {
    const targets: string[] = []
    for (const specifier of readImports(file.text)) {
      const target = resolveRelative(file.path, specifier)
      const problem =
        target === undefined
          ? judgePackageImport(file.path, specifier)
          : judgeFileImport(file.path, target)
      if (problem !== undefined) problems.push(`${file.path}: ${problem}`)
      if (target !== undefined && known.has(target)) targets.push(target)
    }
    graph.set(file.path, targets)
  }
  return [...problems, ...findRings(graph).map(ring => `ring of imports: ${ring.join(' → ')}`)]
}

/**
 * Lists what a file imports. It relies on the formatter, which puts every import and re-export at the start of a line;
 * text in a comment or a template that looks like one at that place would be taken for one.
 */
export function readImports(text: string): string[] {
  const patterns = [
    /^(?:import|export)\s+(?:type\s+)?[\w*{},\s$]+?\s*from\s+['"]([^'"]+)['"]/gm,
    /^import\s+['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ]
  return patterns.flatMap(pattern => [...text.matchAll(pattern)].map(match => match[1] ?? ''))
}

function judgePackageImport(from: string, specifier: string): string | undefined {
  const wanted = /^@homeport\/([^/]+)/.exec(specifier)?.[1]
  const own = packageOf(from)
  if (wanted === undefined || own === undefined) return undefined
  if (isTest(from) && wanted === 'testkit') return undefined
  if (ALLOWED[own]?.includes(wanted)) return undefined
  return `${own} must not import @homeport/${wanted}`
}

function judgeFileImport(from: string, target: string): string | undefined {
  const own = packageOf(from)
  if (own === undefined) return undefined
  // The command's bin runs before a Node that knows TypeScript was found: it has nobody else to ask.
  if (target === 'scripts/launch.mjs') return undefined
  if (packageOf(target) !== own) return `imports ${target} across a package border: use @homeport/…`
  if (!isTest(from) && isTest(target)) return `product code imports the test file ${target}`
  const ownRoom = serverRoomOf(from)
  const targetRoom = serverRoomOf(target)
  if (isTest(from) || ownRoom === undefined || targetRoom === undefined || ownRoom === targetRoom) {
    return undefined
  }
  // Only the owner of a table asks it, so that every rule about its rows stands in one service.
  if (/(?:^|\/|-)store\.ts$/.test(target)) {
    return `${ownRoom} imports the store of ${targetRoom}: call its service`
  }
  return undefined
}

function packageOf(file: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(file)?.[1]
}

function serverRoomOf(file: string): string | undefined {
  return /^packages\/server\/src\/([^/]+)\//.exec(file)?.[1]
}

function resolveRelative(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, ''))
}

/** Tarjan would list every component; the first ring each walk meets is enough to act on. */
function findRings(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const rings: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const walk = (file: string): void => {
    const start = trail.indexOf(file)
    if (start >= 0) {
      rings.push([...trail.slice(start), file])
      return
    }
    if (done.has(file)) return
    trail.push(file)
    for (const next of graph.get(file) ?? []) walk(next)
    trail.pop()
    done.add(file)
  }
  for (const file of graph.keys()) walk(file)
  return rings
}
