/** One package of package-lock.json (lockfileVersion 3), as far as the platform check reads it. */
type LockedPackage = {
  version?: string
  resolved?: string
  link?: boolean
  optional?: boolean
  dev?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  optionalDependencies?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** A package.json of the repository, as far as the lock repeats it. */
export type Manifest = Pick<
  LockedPackage,
  'dependencies' | 'devDependencies' | 'optionalDependencies'
>

/** package-lock.json: places ("node_modules/x") to packages. */
export type LockFile = { packages: Record<string, LockedPackage> }

/** An optional package that a locked package names and the lock file does not list. */
type MissingPackage = { parent: string; name: string; range: string; dev: boolean }

/**
 * Lists the optional packages the lock file lacks. npm leaves out what its registry did not know on the day of the
 * install, and `npm ci` then refuses the lock on the platforms concerned.
 */
export function findMissingPackages(lock: LockFile): MissingPackage[] {
  const missing: MissingPackage[] = []
  for (const [place, locked] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(locked.optionalDependencies ?? {})) {
      if (!isListed(lock, place, name)) {
        missing.push({ parent: place, name, range, dev: locked.dev === true })
      }
    }
  }
  return missing
}

/** Lists places with a registry address: `.npmrc` keeps them out, so that any registry may serve the lock. */
export function findAddresses(lock: LockFile): string[] {
  return Object.entries(lock.packages)
    .filter(([, locked]) => locked.link !== true && locked.resolved !== undefined)
    .map(([place]) => place)
}

/** Lists folders ('' is the root) whose package.json names other dependencies than the lock: `npm ci` refuses those. */
export function findChangedManifests(
  lock: LockFile,
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  const sorted = (record: Record<string, string> = {}) =>
    JSON.stringify(Object.entries(record).sort())
  return [...manifests]
    .filter(([folder, manifest]) =>
      kinds.some(kind => sorted(manifest[kind]) !== sorted(lock.packages[folder]?.[kind])),
    )
    .map(([folder]) => folder)
}

/** Returns the lock file with a skeleton entry for each missing package, in npm's own order of places. */
export function mendLock(lock: LockFile): LockFile {
  const packages = { ...lock.packages }
  for (const { name, range, dev } of findMissingPackages(lock)) {
    if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(range)) {
      throw new Error(
        `${name} is wanted as "${range}": only an exact version can be written into the lock`,
      )
    }
    packages[`node_modules/${name}`] = {
      version: range,
      ...platformOf(name),
      ...(dev ? { dev: true } : {}),
      optional: true,
    }
  }
  const places = Object.keys(packages).sort((a, b) => a.localeCompare(b, 'en'))
  return {
    ...lock,
    packages: Object.fromEntries(places.map(place => [place, packages[place] ?? {}])),
  }
}

/** Node's way to a package: the nearest node_modules, from the parent's own folder up to the root. */
function isListed(lock: LockFile, parent: string, name: string): boolean {
  let folder = parent
  for (;;) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock.packages[place] !== undefined) return true
    if (folder === '') return false
    const end = Math.max(folder.lastIndexOf('/node_modules/'), 0)
    folder = folder.slice(0, end)
  }
}

const OPERATING_SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/**
 * Reads os, cpu and libc from a platform package's name ("@oxc-parser/binding-linux-arm-musleabihf"): the registry
 * that left it out cannot be asked, and every family of such packages names them this way.
 */
export function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = (name.split('/').at(-1) ?? name).split('-')
  const os = OPERATING_SYSTEMS.find(candidate => words.includes(candidate))
  const cpu = PROCESSORS.find(candidate => words.includes(candidate))
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`${name} does not name its platform: add its lock entry by hand`)
  }
  const last = words.at(-1) ?? ''
  // Biome names only its musl packages; what says nothing of Linux runs on glibc.
  const libc = os === 'linux' ? { libc: [last.startsWith('musl') ? 'musl' : 'glibc'] } : {}
  return { cpu: [cpu], ...libc, ...(os === undefined ? {} : { os: [os] }) }
}
