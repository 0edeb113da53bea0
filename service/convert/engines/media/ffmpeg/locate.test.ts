import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { few } from '../../../../../testing/fixtures/full.ts'

/** Imports the module again, since it caches what it found. */
async function fresh() {
  vi.resetModules()
  vi.stubEnv('REFILE_FOUND_FFMPEG', undefined)
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

afterEach(() => vi.unstubAllEnvs())

it('the program of ffmpeg-static is found where the package says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'refile-static-'))
  mkdirSync(join(folder, 'ffmpeg-static'))
  writeFileSync(join(folder, 'ffmpeg-static', 'package.json'), '{ "name": "ffmpeg-static" }')
  writeFileSync(join(folder, 'ffmpeg-static', 'index.js'), "module.exports = '/ffmpeg-static/ffmpeg'")
  const script = `import { candidates } from ${JSON.stringify(join(import.meta.dirname, 'locate.ts'))}
console.log(JSON.stringify(candidates({})))`
  const found = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, NODE_PATH: folder },
  })
  // An installed copy is preferred to one beside NODE_PATH.
  expect(JSON.parse(found.toString()).packed.at(-1)).toMatch(/ffmpeg-static[\\/]ffmpeg(\.exe)?$/)
})

describeFull('a program that links linear algebra', true, () => {
  it('does not bind OpenBLAS', async ({ skip }) => {
    vi.stubEnv('LD_LIBRARY_PATH', undefined)
    const { environment, ffmpeg } = await fresh()
    const { path } = await ffmpeg()
    const libraries = (env: NodeJS.ProcessEnv) => spawnSync('ldd', [path], { env }).stdout?.toString() ?? ''
    skip(!libraries(process.env).includes('libopenblas'), 'this ffmpeg binds no OpenBLAS')
    skip(!existsSync('/usr/lib/x86_64-linux-gnu/lapack'), 'the plain library is not installed')
    expect(libraries(environment())).not.toContain('libopenblas')
  }, 60_000)
})

it('a program allocates as the worker does, and gets no other settings of it', async () => {
  vi.stubEnv('GLIBC_TUNABLES', 'glibc.malloc.hugetlb=1')
  vi.stubEnv('SECRET', 'x')
  const { environment } = await fresh()
  expect(environment()).toMatchObject({ GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' })
  expect(environment()).not.toHaveProperty('SECRET')
})

describeFull('a program that takes long to answer', true, () => {
  it('is busy, not missing, and gets another chance', async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'refile-slow-'))
    const wrapper = fake(`[ -e ${folder}/quick ] || sleep 60; exec ${await real()} "$@"`)
    vi.stubEnv('PATH', folder)
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    const { ffmpeg, inspect, report } = await fresh()
    await expect(inspect(wrapper, 50)).rejects.toMatchObject({ code: 'jobs.timeout' })
    const other = await ffmpeg(50).catch(error => error)
    skip('path' in other, 'a copy downloaded by npm is found in its place')
    expect(other).toMatchObject({ code: 'jobs.timeout', detail: expect.stringContaining('busy') })
    expect(await report(50)).toMatchObject({ available: true, version: null, hint: null })
    writeFileSync(join(folder, 'quick'), '')
    expect(await ffmpeg()).toMatchObject({ path: wrapper })
  })

  it('is waited for more than twelve seconds', { timeout: 60_000 }, async () => {
    const wrapper = fake(`sleep 12; exec ${await real()} "$@"`)
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    expect((await (await fresh()).ffmpeg()).path).toBe(wrapper)
  })

  it('is asked once by all processes, until it changes', async () => {
    const counter = join(mkdtempSync(join(tmpdir(), 'refile-asked-')), 'asked')
    const script = `echo asked >> ${counter}; exec ${await real()} "$@"`
    const wrapper = fake(script)
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    const first = await (await fresh()).ffmpeg()
    const asked = () => readFileSync(counter, 'utf8').split('\n').length - 1
    // Another process with what the first has found in its environment.
    vi.resetModules()
    expect(await (await import('./locate.ts')).ffmpeg()).toEqual(first)
    expect(asked()).toBe(1)
    writeFileSync(wrapper, `#!/bin/sh\n${script}\n# updated\n`)
    vi.resetModules()
    await (await import('./locate.ts')).ffmpeg()
    expect(asked()).toBe(2)
    // What a process reports may be anything.
    vi.stubEnv('REFILE_FOUND_FFMPEG', '{')
    vi.resetModules()
    expect(await (await import('./locate.ts')).ffmpeg()).toEqual(first)
  })
})

describe('ffmpeg is searched for', () => {
  it('in order of preference', async () => {
    const { candidates } = await fresh()
    const env = {
      REFILE_FFMPEG: '/wanted/ffmpeg',
      REFILE_RESOURCES: '/app/resources',
      PATH: ['/one', '/two'].join(delimiter),
    }
    const { wanted, packed, installed } = candidates(env)
    expect(wanted).toEqual(['/wanted/ffmpeg'])
    expect(packed[0]).toBe(join('/app/resources', 'ffmpeg', 'ffmpeg'))
    expect(installed.slice(0, 2)).toEqual([join('/one', 'ffmpeg'), join('/two', 'ffmpeg')])
  })

  it.each([
    ['6.1.1', '8.1.2-0+deb14u1', '8.1.2-0+deb14u1', false],
    ['7.1.5', '7.1.3-0+deb13u1', '7.1.5', false],
    // What was built between two releases says nothing about its age.
    ['7.1.4', 'N-121000-gdeadbeef', '7.1.4', true],
    ['n8.1', '8.1', 'n8.1', true],
    ['8.0.3', '7.1.5', '8.0.3', false],
    ['8.0.2', '7.1.5', '7.1.5', false],
    ['7.1.5', '8.0.2', '7.1.5', false],
    ['6.1.1', '5.1.9-0+deb12u1', '6.1.1', true],
    ['9.0', '8.1.2', '9.0', false],
  ])(
    'the newer of a packed %s and an installed %s that has no flaw, which is said otherwise',
    async (packed, installed, taken, isOld) => {
      const encoders = 'libmp3lame libopus libvorbis aac flac pcm_s16le pcm_s24le'
      const listed = encoders.split(' ').map(name => `echo " A..... ${name}  x"`)
      const program = (version: string) => [`echo "ffmpeg version ${version}" >&2`, ...listed].join('\n')
      const resources = mkdtempSync(join(tmpdir(), 'refile-resources-'))
      mkdirSync(join(resources, 'ffmpeg'))
      writeFileSync(join(resources, 'ffmpeg', 'ffmpeg'), `#!/bin/sh\n${program(packed)}\n`, { mode: 0o755 })
      vi.stubEnv('REFILE_FFMPEG', '')
      vi.stubEnv('REFILE_RESOURCES', resources)
      vi.stubEnv('PATH', `${dirname(fake(program(installed)))}${delimiter}${process.env.PATH}`)
      const { report } = await fresh()
      const hint = isOld ? { key: 'engines.ffmpeg_outdated', parameters: { version: taken } } : null
      expect(await report()).toEqual({ name: 'ffmpeg', version: taken, available: true, hint })
    },
  )

  testFull('and found, with its version and encoders', async () => {
    const { ffmpeg, report } = await fresh()
    const { path, version, encoders } = await ffmpeg()
    expect(path).toMatch(/ffmpeg/)
    expect(version).toMatch(/\d/)
    expect(encoders.has('libmp3lame')).toBe(true)
    expect(await report()).toMatchObject({ name: 'ffmpeg', version, available: true })
  })

  testFull('at REFILE_FFMPEG first, then in the packaged app', async () => {
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

  it.each(
    few(1, [
      ['crashes', 'exit 1'],
      ['is something else', 'echo hello'],
      ['lacks encoders', 'echo "ffmpeg version 9.9" >&2; echo " A..... aac  AAC"'],
    ]),
  )('at the next place if one %s', async (_what, script) => {
    const { inspect } = await fresh()
    const path = fake(script)
    expect(await inspect(path)).toBeNull()
    vi.stubEnv('REFILE_FFMPEG', path)
    expect(await real()).not.toBe(path)
  })

  it('in vain, and the error says how to install it', async ({ skip }) => {
    vi.stubEnv('PATH', '/nowhere')
    vi.stubEnv('REFILE_FFMPEG', '/nowhere/ffmpeg')
    const { ffmpeg, inspect, candidates, report } = await fresh()
    const usable = await Promise.all(
      Object.values(candidates())
        .flat()
        .map(path => inspect(path)),
    )
    skip(usable.some(Boolean), 'a copy downloaded by npm is found in spite of PATH')
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
