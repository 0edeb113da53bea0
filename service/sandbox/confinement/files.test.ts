import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { grantsFor } from './grants.ts'
import { landlockVersion } from './landlock.ts'
import { loadLibc } from './libc.ts'
import { seatbeltProfile } from './seatbelt.ts'

const run = promisify(execFile)
const hasLandlock = process.platform === 'linux' && landlockVersion(loadLibc()) > 0

async function temporary() {
  const folder = await mkdtemp(join(tmpdir(), 'refile-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Confines a process in which V8's and libuv's threads already run, then tries every way of reading a file. */
const script = `
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
const confinement = ${JSON.stringify(import.meta.dirname)}
const { confine } = await import(confinement + '/confine.ts')
const { inEveryThread } = await import(confinement + '/every-thread.ts')
const { loadLibc } = await import(confinement + '/libc.ts')
const secret = process.argv[1]
const inThread = \`
  import { parentPort, workerData } from 'node:worker_threads'
  import { readFileSync } from 'node:fs'
  parentPort.on('message', () => {
    try { parentPort.postMessage(readFileSync(workerData, 'utf8')) } catch (error) { parentPort.postMessage(error.code) }
  })\`
const ask = thread => new Promise(resolve => { thread.once('message', resolve); thread.postMessage('') })
const code = read => { try { return read() } catch (error) { return error.code ?? error.status } }
const ways = {
  here: () => code(() => readFileSync(secret, 'utf8')),
  pool: () => readFile(secret, 'utf8').catch(error => error.code),
  before: () => ask(before),
  thread: () => { const thread = new Worker(inThread, { eval: true, workerData: secret }); return ask(thread).finally(() => thread.terminate()) },
  program: () => code(() => execFileSync('cat', [secret], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()),
}
const all = async () => {
  const answers = {}
  for (const [name, way] of Object.entries(ways)) answers[name] = await way()
  return answers
}
const before = new Worker(inThread, { eval: true, workerData: secret })
// Threads of libuv run from here on.
const free = await all()
const confined = confine()
// What every thread is told that opens the file itself: the number is that of openat, -100 the folder it works in.
const libc = loadLibc()
const path = Buffer.from(secret + '\\0')
const openat = process.arch === 'x64' ? 257 : 56
const natively = inEveryThread(libc, openat, [-100, libc.address(path), 0], -13)
console.log(JSON.stringify({ free, confined, refused: await all(), natively, threads: readdirSync('/proc/self/task').length }))
process.exit()
`

test.runIf(hasLandlock)(
  'every thread is confined, including those that were already running, and so are programs',
  async () => {
    const folder = await temporary()
    await writeFile(join(folder, 'secret'), 'private')
    await mkdir(join(folder, 'own', 'work'), { recursive: true })
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-e', script, join(folder, 'secret')],
      {
        env: { ...process.env, REFILE_WORKER_FOLDER: join(folder, 'own') },
      },
    )
    const { free, confined, refused, natively, threads } = JSON.parse(stdout)
    expect(confined).toEqual({ files: true, systemCalls: true, network: true })
    expect(free).toEqual({
      here: 'private',
      pool: 'private',
      before: 'private',
      thread: 'private',
      program: 'private',
    })
    expect(refused).toEqual({
      here: 'EACCES',
      pool: 'EACCES',
      before: 'EACCES',
      thread: 'EACCES',
      program: 1,
    })
    expect(natively).toBe(true)
    expect(threads).toBeGreaterThan(8)
  },
)

if (hasLandlock)
  testFull('ffmpeg cannot read or write other files, even when told to', async () => {
    const folder = await temporary()
    await mkdir(join(folder, 'own', 'work'), { recursive: true })
    const secret = join(folder, 'secret.wav')
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', secret])
    await writeFile(join(folder, 'own', 'work', 'list'), `file 'file:${secret}'\n`)
    const attempts = [
      ['-protocol_whitelist', 'file,http,tcp', '-i', `file:${secret}`, '-y', 'own/work/taken.wav'],
      ['-f', 'concat', '-safe', '0', '-i', 'own/work/list', '-y', 'own/work/taken.wav'],
      ['-f', 'lavfi', '-i', 'sine=duration=1', '-y', 'beside.wav'],
    ]
    const script = `
    import { spawnSync } from 'node:child_process'
    const { confine } = await import(${JSON.stringify(join(import.meta.dirname, 'confine.ts'))})
    confine()
    const works = args => spawnSync('ffmpeg', ['-v', 'error', ...args]).stderr.toString()
    console.log(JSON.stringify(${JSON.stringify(attempts)}.map(works)))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { ...process.env, REFILE_WORKER_FOLDER: join(folder, 'own') },
    })
    for (const answer of JSON.parse(stdout)) expect(answer).toContain('Permission denied')
    expect(await readdir(join(folder, 'own', 'work'))).toEqual(['list'])
    expect((await readdir(folder)).toSorted()).toEqual(['own', 'secret.wav'])
  })

test.runIf(process.platform === 'linux')(
  'a process without a folder of its own does not report that it is confined to files',
  async () => {
    const script = `import(${JSON.stringify(join(import.meta.dirname, 'confine.ts'))}).then(({ confine }) => console.log(JSON.stringify(confine({}))))`
    const { stdout } = await run(process.execPath, ['-e', script])
    expect(JSON.parse(stdout)).toEqual({ files: false, systemCalls: true, network: true })
  },
)

test('a worker may access the code, models and their link targets, its input and its folder, and nothing else in the home folder', async () => {
  const home = await temporary()
  for (const name of [
    'models',
    'elsewhere',
    'app/dist/service',
    'app/node_modules',
    'app/resources/fonts',
    'own/in',
    'own/work',
    '.fonts',
  ])
    await mkdir(join(home, name), { recursive: true })
  await writeFile(join(home, 'elsewhere', 'large.bin'), '')
  await symlink(join(home, 'elsewhere', 'large.bin'), join(home, 'models', 'large.bin'))
  await writeFile(join(home, 'video.mkv'), '')
  const env = {
    HOME: home,
    PATH: join(home, 'bin'),
    REFILE_MODELS: join(home, 'models'),
    REFILE_WORKER_FOLDER: join(home, 'own'),
    REFILE_WORKER_INPUTS: JSON.stringify([join(home, 'video.mkv')]),
  }
  const { read, execute, write } = grantsFor(env, join(home, 'app', 'dist', 'service'), 'linux')
  const inHome = (paths: string[]) =>
    paths
      .filter(path => path.includes('refile-files-'))
      .map(path => path.slice(path.indexOf('refile-files-')).split('/').slice(1).join('/'))
  expect(inHome(read).toSorted()).toEqual(
    [
      'app/dist/service',
      'app/resources',
      'models',
      'elsewhere/large.bin',
      'video.mkv',
      'own/in',
      '.fonts',
    ].toSorted(),
  )
  expect(inHome(execute)).toEqual(['app/node_modules'])
  expect(inHome(write)).toEqual(['own/work'])
  for (const path of [...read, ...execute, ...write])
    expect(['/', '/home', '/root', '/tmp', home, '/etc', '/proc', '/dev']).not.toContain(path)
})

test('the macOS profile denies the places where people keep files, then allows what is granted', () => {
  const profile = seatbeltProfile(
    {
      read: ['/Users/me/Refile "1"/code'],
      execute: ['/Users/me/node_modules'],
      devices: ['/dev/null'],
      write: ['/Users/me/data/workers/1/work'],
    },
    ['/Users/me/data'],
  )
  expect(profile).toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny network*)
    (deny appleevent-send)
    (deny mach-lookup (global-name "com.apple.coreservices.appleevents") (global-name "com.apple.coreservices.launchservicesd") (global-name "com.apple.lsd.open") (global-name "com.apple.pasteboard.1"))
    (deny file-write*)
    (deny file-read-data (subpath "/Users") (subpath "/Volumes") (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/private/var/tmp") (subpath "/private/var/root") (subpath "/Users/me/data"))
    (allow file-read-data (subpath "/Users/me/Refile \\"1\\"/code") (subpath "/Users/me/node_modules"))
    (allow file-read-data file-write-data (subpath "/dev/null"))
    (allow file-read-data file-write* (subpath "/Users/me/data/workers/1/work"))
    (deny file-link)
    (deny file-write-create (vnode-type SYMLINK))
    "
  `)
})
