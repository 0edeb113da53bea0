import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'

/** Imports the module afresh, since it caches what it found. */
async function fresh() {
  vi.resetModules()
  return import('./locate.ts')
}

const real = async () => (await (await fresh()).ffmpeg()).path

/** A folder with a shell script called ffmpeg. */
function fake(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'refile-locate-'))
  const path = join(folder, 'ffmpeg')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('ffmpeg is searched for', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('in order of preference', async () => {
    const { candidates } = await fresh()
    const env = {
      REFILE_FFMPEG: '/wanted/ffmpeg',
      REFILE_RESOURCES: '/app/resources',
      PATH: ['/one', '/two'].join(delimiter),
    }
    const list = candidates(env)
    expect(list.slice(0, 2)).toEqual(['/wanted/ffmpeg', join('/app/resources', 'ffmpeg', 'ffmpeg')])
    expect(list.indexOf(join('/one', 'ffmpeg'))).toBeLessThan(list.indexOf(join('/two', 'ffmpeg')))
  })

  it('and found, with its version and encoders', async () => {
    const { ffmpeg, report } = await fresh()
    const { path, version, encoders } = await ffmpeg()
    expect(path).toMatch(/ffmpeg/)
    expect(version).toMatch(/\d/)
    expect(encoders.has('libmp3lame')).toBe(true)
    expect(await report()).toEqual({ name: 'ffmpeg', version, available: true, hint: null })
  })

  it('at REFILE_FFMPEG first, then in the packaged app', async () => {
    const path = await real()
    const wrapper = fake(`exec ${path} "$@"`)
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    expect(await real()).toBe(wrapper)

    const resources = mkdtempSync(join(tmpdir(), 'refile-resources-'))
    mkdirSync(join(resources, 'ffmpeg'))
    writeFileSync(join(resources, 'ffmpeg', 'ffmpeg'), `#!/bin/sh\nexec ${path} "$@"\n`, { mode: 0o755 })
    vi.stubEnv('REFILE_FFMPEG', '')
    vi.stubEnv('REFILE_RESOURCES', resources)
    expect(await real()).toBe(join(resources, 'ffmpeg', 'ffmpeg'))
  })

  it.each([
    ['crashes', 'exit 1'],
    ['is something else', 'echo hello'],
    ['lacks encoders', 'echo "ffmpeg version 9.9" >&2; echo " A..... aac  AAC"'],
  ])('at the next place if one %s', async (_what, script) => {
    const { inspect } = await fresh()
    const path = fake(script)
    expect(await inspect(path)).toBeNull()
    vi.stubEnv('REFILE_FFMPEG', path)
    expect(await real()).not.toBe(path)
  })

  it('in vain, and the error says how to install it', async () => {
    vi.stubEnv('PATH', '/nowhere')
    vi.stubEnv('REFILE_FFMPEG', '/nowhere/ffmpeg')
    const { ffmpeg, inspect, candidates, report } = await fresh()
    // A copy downloaded by npm would be found in spite of PATH.
    const usable = await Promise.all(candidates().map(path => inspect(path)))
    if (usable.some(Boolean)) return
    await expect(ffmpeg()).rejects.toMatchObject({
      name: 'JobFailure',
      code: 'jobs.engine_missing',
      detail: expect.stringMatching(/install.*REFILE_FFMPEG/i),
    })
    expect(await report()).toMatchObject({
      available: false,
      version: null,
      hint: { key: expect.stringContaining('engines.install_ffmpeg') },
    })
  })
})
