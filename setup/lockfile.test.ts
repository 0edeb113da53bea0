import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Lockfile, missingEntries } from './lockfile.ts'
import { root } from './root.mjs'

describe('package-lock.json', () => {
  test('names every platform package, so that npm ci accepts it (npm run lockfile)', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
    expect(missingEntries(lock)).toEqual({})
  })

  test('what is missing is told from who wants it', () => {
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

  test('ranges and packages without a platform are left to npm', () => {
    const optionalDependencies = { fsevents: '2.3.3', 'z-win32-x64': '^1.0.0' }
    expect(missingEntries({ packages: { 'node_modules/x': { optionalDependencies } } })).toEqual({})
  })
})
