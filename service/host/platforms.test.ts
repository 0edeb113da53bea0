import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testFiles } from '../../testing/files.ts'

/** What depends on the system, as each one has it: only Linux runs all of the tests. */
const files = testFiles('platforms')
const system = Object.getOwnPropertyDescriptor(process, 'platform')!

interface Expected {
  platform: NodeJS.Platform
  home: string
  /** What a worker is told of temporary files. */
  temporary: object
  ffmpeg: string
  /** Where else it is looked for. */
  further: string[]
  program: string
  /** Folders of fonts, some of them. */
  fonts: string[]
  /** What confines workers. */
  confinedBy: string[]
  /** Whom a worker ends that has lost its service: its group, or only itself. */
  ended: number
}

const linux: Expected = {
  platform: 'linux',
  home: join(homedir(), '.local/share/refile'),
  temporary: { TMPDIR: expect.any(String) },
  ffmpeg: 'ffmpeg',
  further: [],
  program: 'tool',
  fonts: ['/usr/share/fonts', '/usr/local/share/fonts'],
  confinedBy: ['limits', 'system calls', 'landlock'],
  ended: -process.pid,
}
const systems: Expected[] = [
  linux,
  {
    ...linux,
    platform: 'darwin',
    home: join(homedir(), 'Library/Application Support/Refile'),
    further: ['/opt/homebrew/bin/ffmpeg', '/usr/local/bin/ffmpeg'],
    fonts: ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library/Fonts')],
    confinedBy: ['seatbelt'],
  },
  {
    ...linux,
    platform: 'win32',
    home: join('C:\\Users\\a\\Roaming', 'Refile'),
    temporary: { TEMP: '/scratch' },
    ffmpeg: 'ffmpeg.exe',
    program: 'tool.exe',
    fonts: [join('C:\\Windows', 'Fonts'), join(homedir(), 'AppData/Local/Microsoft/Windows/Fonts')],
    confinedBy: ['job object'],
    ended: process.pid,
  },
  { ...linux, platform: 'freebsd', confinedBy: [] },
]

describe.each(systems)('on $platform', expected => {
  beforeEach(() => {
    vi.resetModules()
    Object.defineProperty(process, 'platform', { ...system, value: expected.platform })
  })
  afterEach(() => {
    Object.defineProperty(process, 'platform', system)
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    for (const name of ['job-object', 'seatbelt', 'landlock', 'libc', 'limits', 'system-calls', 'network'])
      vi.doUnmock(`../sandbox/confinement/${name}.ts`)
    vi.doUnmock('node:fs/promises')
  })

  test('data are kept where its programs keep them', async () => {
    const { defaultHome } = await import('../shared/settings/table.ts')
    expect(defaultHome(undefined, { APPDATA: 'C:\\Users\\a\\Roaming' })).toBe(expected.home)
  })

  test('workers know its folder of temporary files', async () => {
    const { workerEnvironment } = await import('../sandbox/workers/environment.ts')
    const config = { ffmpeg: null, home: '/h', models: null, resources: null, slots: 1 }
    const { TMPDIR, TEMP } = workerEnvironment(
      { ...config, offline: false, fetchPacks: true },
      undefined,
      '/scratch',
    )
    expect({ ...(TMPDIR && { TMPDIR }), ...(TEMP && { TEMP }) }).toEqual(expected.temporary)
  })

  test('programs are found by the names that they have there', async () => {
    const { candidates } = await import('../convert/engines/media/ffmpeg/locate.ts')
    const { packed, installed } = candidates({ PATH: '/path', REFILE_RESOURCES: '/resources' })
    expect(packed[0]).toBe(join('/resources/ffmpeg', expected.ffmpeg))
    expect(installed).toEqual([join('/path', expected.ffmpeg), ...expected.further])
    const folder = files.path(`bin-${expected.platform}`)
    mkdirSync(folder)
    const { isInstalled } = await import('../convert/engines/common/programs.ts')
    vi.stubEnv('PATH', folder)
    expect(await isInstalled('tool')).toBe(false)
    writeFileSync(join(folder, expected.program), '')
    chmodSync(join(folder, expected.program), 0o755)
    expect(await isInstalled('tool')).toBe(true)
  })

  test('fonts are looked for in its folders', async () => {
    const looked: string[] = []
    vi.stubEnv('SystemRoot', 'C:\\Windows')
    vi.doMock('node:fs/promises', async original => ({
      ...(await original<typeof import('node:fs/promises')>()),
      readdir: async (folder: string) => {
        looked.push(folder)
        return []
      },
    }))
    await (await import('../convert/engines/fonts/fontkit/installed.ts')).installedFonts()
    expect(looked).toEqual(expect.arrayContaining(expected.fonts))
  })

  test('workers are confined by what it has for that', async () => {
    const used: string[] = []
    const by =
      <Answer>(name: string, answer: Answer) =>
      () => {
        used.push(name)
        return answer
      }
    const places = '../sandbox/confinement'
    vi.doMock(`${places}/network.ts`, () => ({ denyNetwork: () => {} }))
    vi.doMock(`${places}/libc.ts`, () => ({ loadLibc: () => ({}) }))
    vi.doMock(`${places}/limits.ts`, async original => ({
      ...(await original<object>()),
      limitProcess: by('limits', undefined),
    }))
    vi.doMock(`${places}/system-calls.ts`, () => ({ closeSystemCalls: by('system calls', true) }))
    vi.doMock(`${places}/landlock.ts`, () => ({ confineByLandlock: by('landlock', true) }))
    vi.doMock(`${places}/seatbelt.ts`, () => ({
      confineBySeatbelt: by('seatbelt', true),
      seatbeltProfile: () => '',
    }))
    vi.doMock(`${places}/job-object.ts`, async original => ({
      ...(await original<object>()),
      confineByJobObject: by('job object', true),
    }))
    const { confine } = await import('../sandbox/confinement/confine.ts')
    const { files: isConfined } = confine({ REFILE_WORKER_FOLDER: '/none/workers/1' })
    expect(used).toEqual(expected.confinedBy)
    expect(isConfined).toBe(used.includes('landlock') || used.includes('seatbelt'))
  })

  test('a worker that has lost its service ends what it can', async () => {
    const { endWithService } = await import('../sandbox/workers/lifeline.ts')
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const before = process.listeners('disconnect')
    endWithService()
    const [added] = process.listeners('disconnect').filter(listener => !before.includes(listener))
    process.off('disconnect', added!)
    added!()
    expect(kill.mock.calls[0]).toEqual([expected.ended, 'SIGKILL'])
  })
})
