import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../root.mjs'
import { fillIntegrity, type Lockfile, missingEntries, withoutIntegrity } from './lockfile.ts'

describe('package-lock.json', () => {
  test('lists every platform package, so that npm ci accepts it (npm run lockfile)', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
    expect(missingEntries(lock)).toEqual({})
  })

  test('fixes the content of every package except platform packages that the registry does not have', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
    const loose = withoutIntegrity(lock).filter(([, { optional, cpu }]) => !(optional && cpu))
    expect(loose).toEqual([])
  })

  test('hashes of packages without one are requested from the registry', async () => {
    const lock: Lockfile = {
      packages: {
        '': { version: '1.0.0' },
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
        'node_modules/@x/b-linux-x64': { version: '2.0.0', optional: true },
        'node_modules/a/node_modules/c': { version: '3.0.0' },
      },
    }
    const asked: string[] = []
    const unknown = await fillIntegrity(lock, async wanted => {
      asked.push(wanted)
      return wanted.startsWith('c') ? undefined : 'sha512-b'
    })
    expect(asked).toEqual(['@x/b-linux-x64@2.0.0', 'c@3.0.0'])
    expect(unknown).toEqual(['c@3.0.0'])
    expect(lock.packages['node_modules/@x/b-linux-x64']?.integrity).toBe('sha512-b')
    expect(lock.packages['node_modules/a/node_modules/c']).toEqual({ version: '3.0.0' })
  })

  test('missing entries are derived from the packages that want them', () => {
    const binding = { dev: true, license: 'MIT', optionalDependencies: { '@x/y-linux-arm64-musl': '1.2.3' } }
    expect(missingEntries({ packages: { 'node_modules/x': binding } })).toEqual({
      'node_modules/@x/y-linux-arm64-musl': {
        version: '1.2.3',
        dev: true,
        license: 'MIT',
        optional: true,
        os: ['linux'],
        cpu: ['arm64'],
        libc: ['musl'],
      },
    })
  })

  test('version ranges and packages without a platform are left to npm', () => {
    const optionalDependencies = { fsevents: '2.3.3', 'z-win32-x64': '^1.0.0' }
    expect(missingEntries({ packages: { 'node_modules/x': { optionalDependencies } } })).toEqual({})
  })
})
