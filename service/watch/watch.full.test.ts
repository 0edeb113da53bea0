import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { randomFrom } from '../../testing/fixtures/random.ts'
import { TestConverter } from '../../testing/watching.ts'
import { Database } from './database.ts'
import { makeRule, type Rule } from './rule.ts'
import { statusOfRules } from './status.ts'
import { Watcher, type WatcherParts } from './watcher.ts'

const SEED = Number(process.env.REFILE_WATCH_SEED || 1)
const KILLS = Number(process.env.REFILE_WATCH_KILLS || 200)

let place: string
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'refile-watch-')))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  await Promise.all(
    ['in', 'out', 'originals', 'home', 'kept', 'bin', 'charges'].map(name => mkdir(join(place, name))),
  )
})

const below = (...names: string[]) => join(place, ...names)
const filesIn = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}
const contentsOf = async (...folders: string[]) => {
  const files = (await Promise.all(folders.map(filesIn))).flat()
  return (await Promise.all(files.map(file => readFile(file, 'utf8')))).toSorted()
}

/** Another disk, if this machine has one in memory. */
async function otherDisk(): Promise<string> {
  if (!existsSync('/dev/shm')) return below('originals')
  const folder = await mkdtemp('/dev/shm/refile-watch-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const life = (originals: string, ...mode: string[]) =>
  spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../../testing/watched-life.ts'),
      place,
      originals,
      ...mode,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

/** A name of a file that no other content of a test has had; two of one name may be in different folders. */
const put = async (name: string, content: string) => {
  const written = below(
    'kept',
    '..',
    `writing-${createHash('sha256').update(content).digest('hex').slice(0, 8)}`,
  )
  await writeFile(written, content)
  await mkdir(join(below('in', name), '..'), { recursive: true })
  await rename(written, below('in', name))
}

test.each(['the same disk', 'another disk'])(
  `killed at ${KILLS / 2} random moments, with originals that move to %s: all is there, whole and charged once`,
  async disk => {
    const originals = disk === 'another disk' ? await otherDisk() : below('originals')
    const random = randomFrom(SEED)
    const arrived: string[] = []
    for (let kill = 0; kill < KILLS / 2; kill++) {
      const child = life(originals)
      const left = 3 + Math.floor(random() * 5)
      for (let at = 0; at < left; at++) {
        const content = `${kill}-${at}`
        arrived.push(content)
        await put(join(`${at % 3}`, `${kill % 7 === 0 ? `${kill}-` : ''}IMG_${arrived.length}.txt`), content)
      }
      // On a machine that is busy, it would be killed before it has done anything.
      await once(child.stdout, 'data')
      await sleep(random() * 500)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    // Two at once: one of them has the lock.
    const [first, second] = [life(originals, 'once'), life(originals, 'once')]
    const codes = await Promise.all([once(first, 'exit'), once(second, 'exit')])
    expect(codes.map(([code]) => code)).toContain(0)
    const last = life(originals, 'once')
    expect(await once(last, 'exit')).toEqual([0, null])
    expect(await contentsOf(originals)).toEqual(arrived.toSorted())
    expect(await filesIn(below('in'))).toEqual([])
    const made = arrived.map(content => `made of ${content} `.repeat(2_000))
    expect(await contentsOf(below('out'))).toEqual(made.toSorted())
    expect(await contentsOf(below('charges'))).toEqual(arrived.toSorted())
  },
  1_200_000,
)

async function watcherOf(rule: Rule, converter: TestConverter, parts: Partial<WatcherParts> = {}) {
  const database = await Database.open(join(below('home'), 'watch'))
  onTestFinished(() => database[Symbol.dispose]())
  const watcher = new Watcher({
    ...{ rule, database, home: below('home'), converter, jobs: 8, intervalMs: 60 },
    recycle: path => rename(path, below('bin', `${Math.random()}`)),
    ...parts,
  })
  const stopping = new AbortController()
  const ended = watcher.watch(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  return { stop, progress: async () => (await statusOfRules(database))[0] }
}

const ruleOf = (change: Partial<Rule>): Rule =>
  makeRule(
    {
      ...{ folder: below('in'), recursive: true, pattern: '*.jpg', target: 'webp', options: {} },
      ...{ out: below('out'), moveTo: null, ...change },
    },
    below('home'),
  )

test('10,000 files in bursts, of which 300 grow, are renamed, go away or cannot be read, become one result each', async () => {
  const converter = new TestConverter()
  const clock = { ahead: 0, now: () => performance.now() + clock.ahead, date: () => Date.now() }
  const watcher = await watcherOf(ruleOf({}), converter, { clock })
  const random = randomFrom(SEED)
  const wanted = new Set<string>()
  const slow: Promise<void>[] = []
  for (let at = 0; at < 10_000; at++) {
    const file = below('in', `${at % 10}`, `${at}.jpg`)
    if (at < 10) await mkdir(join(file, '..'), { recursive: true })
    const kind = at % 33 === 0 ? Math.floor(at / 33) % 4 : undefined
    if (kind !== 2) wanted.add(`whole ${at}`)
    if (kind === 3) unreadable.add(file)
    if (kind === undefined || kind === 3) await writeFile(file, `whole ${at}`)
    else if (kind === 0) slow.push(grow(file, `whole ${at}`))
    else if (kind === 1)
      slow.push(writeFile(`${file}.part`, `whole ${at}`).then(() => rename(`${file}.part`, file)))
    else slow.push(writeFile(file, 'gone').then(() => rm(file)))
    if (at % 1_000 === 999) await sleep(random() * 2_000)
  }
  await Promise.all(slow)
  const parked = async () =>
    (await watcher.progress())?.parked.filter(({ code }) => code === 'watch.file_unreadable')
  await expect
    .poll(async () => (await parked())?.length, { timeout: 900_000, interval: 1_000 })
    .toBe(unreadable.size)
  unreadable.clear()
  clock.ahead += 4_000_000
  await expect
    .poll(async () => (await filesIn(below('out'))).filter(name => name.endsWith('.out')).length, {
      timeout: 900_000,
      interval: 1_000,
    })
    .toBe(wanted.size)
  expect([...converter.charged.values()].filter(text => text !== 'gone').toSorted()).toEqual(
    [...wanted].toSorted(),
  )
}, 1_200_000)

async function grow(file: string, text: string): Promise<void> {
  for (const letter of text) {
    await appendFile(file, letter)
    await sleep(15)
  }
}

const faulty = { at: -1, calls: 0, share: 0, random: randomFrom(SEED), codes: ['EIO'] as string[] }

test.each([
  ['moves them to another disk', { moveTo: 'other' }],
  ['moves them', { moveTo: 'originals' }],
  ['recycles them', { original: 'recycle' }],
] as const)(
  'after any faults of the disk and the converter, a rule that %s has lost and spoilt nothing',
  async (_name, change) => {
    const moveTo =
      'moveTo' in change ? (change.moveTo === 'other' ? await otherDisk() : below('originals')) : null
    const rule = ruleOf({ moveTo, ...('original' in change && { original: 'recycle' }) })
    const converter = new TestConverter()
    const clock = { ahead: 0, now: () => performance.now() + clock.ahead, date: () => Date.now() }
    const failing = ['jobs.interrupted', 'jobs.storage_failed', 'connection', 'entitlements.x', '']
    converter.before = async () => {
      if (faulty.share === 0 || faulty.random() > 0.2) return
      throw Object.assign(new Error('a fault'), {
        code: failing[Math.floor(faulty.random() * failing.length)],
      })
    }
    const watcher = await watcherOf(rule, converter, { clock })
    const arrived: string[] = []
    const { random } = faulty
    for (let at = 0; at < 400; at++) {
      faulty.share = at % 50 < 40 ? 0.03 : 0
      faulty.codes = [['EIO'], ['ENOSPC'], ['EACCES', 'EBUSY']][Math.floor(at / 50) % 3] ?? []
      const name = `${Math.floor(random() * 60)}.jpg`
      // What is there is put away, and never destroyed by the test itself.
      await rename(below('in', name), below('kept', `${at}`)).catch(() => {})
      const content = `content ${at}`
      await put(name, content).catch(async () => writeFile(below('kept', `put-${at}`), content))
      arrived.push(content)
      if (at % 40 === 0) {
        faulty.share = 0
        await rename(below('in'), below('away'))
        await sleep(150)
        await rename(below('away'), below('in'))
      }
      clock.ahead += 2_000
      await sleep(random() * 60)
    }
    faulty.share = 0
    const isQuiet = async () => {
      clock.ahead += 4_000_000
      // What could not be put back after several faults in a row is hidden, and there.
      return (await filesIn(below('in'))).filter(path => path.endsWith('.jpg')).length
    }
    await expect.poll(isQuiet, { timeout: 120_000, interval: 100 }).toBe(0)
    await watcher.stop()
    const left = await contentsOf(below('in'), below('kept'), below('bin'), moveTo ?? below('originals'))
    expect([...new Set(left)].toSorted()).toEqual([...new Set(arrived)].toSorted())
    const results = await contentsOf(below('out'))
    for (const text of results) expect(text).toMatch(/^webp of content \d+$/)
    expect(new Set(results).size).toBe(results.length)
  },
  600_000,
)

test.each(['ENOSPC', 'EIO'])(
  '%s at each call in turn leaves one result of a file and its original where it is to go, charged once',
  async code => {
    faulty.codes = [code]
    const set = Database.prototype.set
    vi.spyOn(Database.prototype, 'set').mockImplementation(function (this: Database, ...given) {
      if (faulty.calls++ === faulty.at) throw Object.assign(new Error(code), { code })
      return set.apply(this, given)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const rules = [
      ruleOf({ moveTo: below('originals') }),
      ruleOf({ moveTo: await otherDisk(), target: 'png' }),
    ]
    for (const rule of rules) {
      const converter = new TestConverter()
      for (let at = 0; ; at++) {
        await put(`${at}.jpg`, `content ${at}`)
        Object.assign(faulty, { at, calls: 0 })
        for (let round = 0; round < 10 && (await filesIn(below('in'))).length > 0; round++) {
          try {
            using database = await Database.open(below('home', 'watch'))
            const parts = {
              ...{ rule, database },
              home: below('home'),
              converter,
              once: true,
              intervalMs: 5,
              recycle: async () => {},
            }
            await new Watcher(parts).watch(new AbortController().signal)
          } catch {
            // What holds up everything ends it.
          }
        }
        const wasReached = faulty.calls > at
        faulty.at = -1
        expect([at, await filesIn(below('in'))]).toEqual([at, []])
        if (!wasReached) break
      }
      const texts = [...converter.charged.values()].toSorted()
      expect(new Set(texts).size).toBe(texts.length)
      expect(texts.length).toBeGreaterThan(30)
      expect(await contentsOf(rule.moveTo ?? '')).toEqual(texts)
      expect(await contentsOf(below('out'))).toEqual(texts.map(text => `${rule.target} of ${text}`))
      await rm(below('out'), { recursive: true })
      await mkdir(below('out'))
    }
  },
  600_000,
)

const unreadable = new Set<unknown>()

vi.mock('node:fs', async importActual => {
  const files = await importActual<typeof import('node:fs')>()
  const createReadStream: typeof files.createReadStream = (path, ...rest) => {
    if (unreadable.has(path)) throw Object.assign(new Error('EACCES'), { code: 'EACCES', path })
    return files.createReadStream(path, ...rest)
  }
  return { ...files, createReadStream }
})

vi.mock('node:fs/promises', async importActual => {
  const files = await importActual<typeof import('node:fs/promises')>()
  const isFaulty = () => faulty.calls++ === faulty.at || (faulty.share > 0 && faulty.random() < faulty.share)
  const fault = () => {
    const code = faulty.codes[Math.floor(faulty.random() * faulty.codes.length)] ?? 'EIO'
    return Object.assign(new Error(`${code}: a fault of the test`), { code, syscall: 'test' })
  }
  // Only what the room does is faulty, and not the test itself.
  const isOurs = () => !/watch\.full\.test/.test(new Error().stack?.split('\n').slice(3, 5).join() ?? '')
  const faultily = <Call extends (...given: never[]) => Promise<unknown>>(call: Call): Call =>
    (async (...given: Parameters<Call>) => {
      if (isOurs() && !`${given[0]}`.startsWith('/proc') && isFaulty()) throw fault()
      return call(...given)
    }) as unknown as Call
  return {
    ...files,
    ...{ link: faultily(files.link), rename: faultily(files.rename), unlink: faultily(files.unlink) },
    ...{ readdir: faultily(files.readdir as never) as typeof files.readdir, mkdir: faultily(files.mkdir) },
    ...{ copyFile: faultily(files.copyFile), lstat: faultily(files.lstat as never) as typeof files.lstat },
    stat: faultily(files.stat as never) as typeof files.stat,
    writeFile: faultily(files.writeFile as never) as typeof files.writeFile,
    open: async (...given: Parameters<typeof files.open>) => {
      if (isOurs() && isFaulty()) throw fault()
      const file = await files.open(...given)
      for (const name of ['sync', 'datasync', 'writeFile', 'appendFile'] as const) {
        const call = file[name].bind(file) as (...given: unknown[]) => Promise<void>
        file[name] = (async (...given: unknown[]) => {
          if (isFaulty()) throw fault()
          return call(...given)
        }) as never
      }
      return file
    },
  }
})
