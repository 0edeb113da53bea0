import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { canMount, smallDisk } from '../../testing/disk.ts'
import { few } from '../../testing/fixtures/full.ts'
import { TestConverter } from '../../testing/watching.ts'
import { Database } from './database.ts'
import { Journal, type JournalEntry } from './journal.ts'
import { makeRule, matches, type Rule, ruleId } from './rule.ts'
import { isLocked, lock } from './rules.ts'
import { type Status, statusOfRules } from './status.ts'
import { Watcher, type WatcherParts } from './watcher.ts'
import { type Happening, waitAfter } from './work.ts'

let place: string
let rule: Rule
let converter: TestConverter
let database: Database
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'refile-watch-')))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  await Promise.all(['in', 'out', 'originals', 'home'].map(name => mkdir(join(place, name))))
  rule = ruleOf()
  converter = new TestConverter()
  database = await Database.open(join(place, 'home', 'watch'))
  onTestFinished(() => database[Symbol.dispose]())
})

const ruleOf = (change: Partial<Rule> = {}): Rule => makeRule({ ...given(), ...change }, join(place, 'home'))
const given = (): Rule => ({
  folder: join(place, 'in'),
  recursive: false,
  pattern: '*',
  target: 'webp',
  options: {},
  out: join(place, 'out'),
  moveTo: null,
})
const put = (name: string, text: string) => writeFile(join(place, 'in', name), text)
const listed = async (name: string) => (await readdir(join(place, name), { recursive: true })).toSorted()
const journalOf = (of = rule) => new Journal(database, ruleId(of))
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function watcherOf(of: Rule, happened: Happening[], parts: Partial<WatcherParts> = {}): Watcher {
  return new Watcher({
    ...{ rule: of, database, home: join(place, 'home'), converter, jobs: 4, intervalMs: 40, once: true },
    report: happening => happened.push(happening),
    recycle: async () => {
      throw new Error('No original is to go to the recycle bin.')
    },
    ...parts,
  })
}

/** Gives up the rights of an administrator, who may read everything, until the test ends. */
function asNobody(): void {
  if (process.getuid?.() !== 0) return
  execFileSync('chown', ['-R', 'nobody', place])
  process.seteuid?.('nobody')
  onTestFinished(() => process.seteuid?.(0))
}

/** A clock that a test can put forward. */
function testClock() {
  const clock = { ahead: 0, now: () => performance.now() + clock.ahead, date: () => Date.now() }
  return clock
}

/** Watches until nothing is left to do. */
async function watching(
  { retry, ...parts }: Partial<WatcherParts> & { retry?: true } = {},
  of = rule,
): Promise<Happening[]> {
  const happened: Happening[] = []
  await watcherOf(of, happened, parts).watch(new AbortController().signal, retry)
  return happened
}

/** Watches until the test ends. */
function watchOn(parts: Partial<WatcherParts> = {}, of = rule) {
  const happened: Happening[] = []
  const stopping = new AbortController()
  const ended = watcherOf(of, happened, { once: false, ...parts }).watch(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  const progress = async (): Promise<Status> =>
    (await statusOfRules(database)).find(({ id }) => id === ruleId(of))!
  return { watcher: { stop, progress }, happened }
}

test('each content becomes one result, however it comes and however often it is looked at', async () => {
  const { watcher, happened } = watchOn()
  await put('slow.jpg', '')
  for (const letter of 'fine') {
    await appendFile(join(place, 'in', 'slow.jpg'), letter)
    await sleep(20)
  }
  await put('.hidden.jpg', 'fine')
  await put('~$report.docx', 'fine')
  await put('moved.jpg.part', 'fine')
  await rename(join(place, 'in', 'moved.jpg.part'), join(place, 'in', 'moved.jpg'))
  await expect.poll(() => listed('out')).toEqual(['moved.out', 'slow.out'])
  await put('moved.jpg', 'warn')
  await expect.poll(() => listed('out')).toEqual(['moved (2).out', 'moved.out', 'slow.out'])
  await sleep(150)
  await watcher.stop()
  expect(happened).toHaveLength(3)
  expect(happened.find(({ warnings }) => warnings?.length)).toMatchObject({ file: 'moved.jpg' })
  expect(converter.charged.size).toBe(3)
})

testFull('a file that is still written to is not taken, whatever else happens in the folder', async () => {
  const { watcher } = watchOn({ intervalMs: 300 })
  const file = join(place, 'in', 'report.md')
  for (let chapter = 0; chapter < 12; chapter++) {
    await appendFile(file, `${chapter} `)
    await appendFile(join(place, 'in', 'video.mp4.part'), 'x')
    await sleep(80)
  }
  expect((await watcher.progress()).writing).toBe(1)
  await expect.poll(() => listed('out'), { timeout: 5_000 }).toEqual(['report.out'])
  expect([...converter.charged.values()]).toEqual(['0 1 2 3 4 5 6 7 8 9 10 11 '])
})

if (process.platform === 'linux')
  testFull('a file that another has open for writing is waited for', async () => {
    await put('a.jpg', 'fi')
    const file = await open(join(place, 'in', 'a.jpg'), 'a')
    const { happened } = watchOn()
    await sleep(300)
    expect(happened).toEqual([])
    await file.writeFile('ne')
    await file.close()
    await expect.poll(() => listed('out')).toEqual(['a.out'])
    expect([...converter.charged.values()]).toEqual(['fine'])
  })

testFull(
  'a file is as old by its own time, too, before it is taken, whichever way a clock jumps',
  async () => {
    let date = Date.now() - 3_600_000
    const clock = { now: () => performance.now(), date: () => date }
    await put('a.jpg', 'fine')
    await utimes(join(place, 'in', 'a.jpg'), date / 1_000, date / 1_000)
    const { watcher } = watchOn({ clock })
    await expect.poll(async () => (await watcher.progress()).writing).toBe(1)
    await sleep(400)
    expect(await watcher.progress()).toMatchObject({ writing: 1, done: 0 })
    date += 7_200_000
    await expect.poll(() => listed('out')).toEqual(['a.out'])
    date -= 7_200_000
    await put('b.jpg', 'fine')
    await expect.poll(() => listed('out')).toEqual(['a.out', 'b.out'])
    expect(converter.charged.size).toBe(2)
  },
)

testFull('a file that is replaced by one of the same size and time is another one', async () => {
  const time = new Date(1e12)
  const { happened } = watchOn()
  for (const [at, text] of ['fine', 'five'].entries()) {
    await writeFile(join(place, 'new'), text)
    await utimes(join(place, 'new'), time, time)
    await rename(join(place, 'new'), join(place, 'in', 'a.jpg'))
    await expect.poll(() => happened).toHaveLength(at + 1)
  }
  expect([...converter.charged.values()]).toEqual(['fine', 'five'])
})

test('what was done before a restart is not done or even read again, and what came meanwhile is', async () => {
  await put('a.jpg', 'fine')
  expect(await watching()).toHaveLength(1)
  await put('b.jpg', 'fine')
  expect((await watching()).map(({ file }) => file)).toEqual(['b.jpg'])
  expect(await listed('out')).toEqual(['a.out', 'b.out'])
  expect(converter.calls).toBe(2)
})

testFull('a name with dots keeps them, once', async () => {
  await put('holiday.2024.jpg', 'fine')
  expect(await watching()).toMatchObject([{ output: join(place, 'out', 'holiday.2024.out') }])
})

test.each(few(1, ['jobs.corrupt_input', 'jobs.canceled']))(
  'after %s a file is parked until its content changes or it is asked for',
  async code => {
    await put('a.jpg', `fail ${code}`)
    expect(await watching()).toMatchObject([{ file: 'a.jpg', error: { code } }])
    expect(await watching()).toEqual([])
    expect(converter.calls).toBe(1)
    expect(await watching({ retry: true })).toHaveLength(1)
    await put('a.jpg', 'fine')
    expect(await watching()).toMatchObject([{ output: join(place, 'out', 'a.out') }])
  },
)

if (process.platform !== 'win32')
  testFull('a file that cannot be read costs only itself, and says so', async () => {
    await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine'), put('c.jpg', 'fine')])
    await chmod(join(place, 'in', 'b.jpg'), 0)
    asNobody()
    const { watcher } = watchOn()
    await expect.poll(() => listed('out')).toEqual(['a.out', 'c.out'])
    await expect
      .poll(async () => (await watcher.progress()).parked)
      .toMatchObject([{ file: 'b.jpg', code: 'watch.file_unreadable', retryAt: expect.any(Number) }])
    // Its permissions are a change, too.
    await chmod(join(place, 'in', 'b.jpg'), 0o600)
    await expect.poll(() => listed('out')).toEqual(['a.out', 'b.out', 'c.out'])
  })

testFull('a file that changes while it is converted is new work, and holds up no other', async () => {
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
  let left = 2
  converter.before = async name => {
    if (name !== 'a.jpg' || left-- <= 0) return
    await appendFile(join(place, 'in', name), ' 1')
    if (left === 0)
      throw Object.assign(new Error('a.jpg changed while it was read.'), { code: 'file.changed' })
  }
  const happened = await watching({ jobs: 1 })
  expect(happened.map(({ file }) => file).toSorted()).toEqual(['a.jpg', 'b.jpg'])
  expect(await listed('out')).toEqual(['a.out', 'b.out'])
  expect(await readFile(join(place, 'out', 'a.out'), 'utf8')).toBe('webp of fine 1 1')
})

test('a result that cannot be placed is not paid for again', async () => {
  rule = ruleOf({ recursive: true })
  await mkdir(join(place, 'in', 'x'))
  await put(join('x', 'a.jpg'), 'fine')
  await put('b.jpg', 'fine')
  await symlink(place, join(place, 'out', 'x'))
  const clock = testClock()
  const { watcher } = watchOn({ clock })
  await expect
    .poll(async () => (await watcher.progress()).parked)
    .toMatchObject([{ file: join('x', 'a.jpg'), code: 'watch.not_saved' }])
  await rm(join(place, 'out', 'x'))
  clock.ahead = 6_000
  await expect.poll(() => listed('out')).toEqual(['b.out', 'x', join('x', 'a.out')])
  expect([converter.calls, converter.charged.size]).toEqual([2, 2])
})

if (canMount)
  testFull('on a full disk nothing is sent again until there is room', async () => {
    const disk = await smallDisk(1)
    await writeFile(join(disk, 'full'), Buffer.alloc(2 ** 20)).catch(() => {})
    rule = ruleOf({ out: disk })
    await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
    const clock = testClock()
    const reasons: unknown[] = []
    const { watcher } = watchOn({ clock, jobs: 1, onHold: reason => reasons.push(reason) })
    await expect.poll(async () => (await watcher.progress()).problem?.key).toBe('watch.disk_full')
    clock.ahead = 6_000
    await sleep(200)
    expect([converter.calls, await readdir(disk)]).toEqual([1, ['full']])
    await rm(join(disk, 'full'))
    clock.ahead = 600_000
    await expect.poll(async () => (await readdir(disk)).toSorted()).toEqual(['a.out', 'b.out'])
    expect(converter.calls).toBe(2)
    expect(reasons).toEqual([expect.stringMatching(/^The disk is full\./)])
  })

test('without credits nothing is sent until there are some', async () => {
  converter.left = 1
  await Promise.all(['a', 'b', 'c', 'd'].map(name => put(`${name}.jpg`, name)))
  const clock = testClock()
  const { watcher } = watchOn({ clock, jobs: 1 })
  await expect.poll(async () => (await watcher.progress()).problem?.key).toBe('watch.no_credits')
  clock.ahead = 60_000
  await sleep(200)
  expect(converter.calls).toBe(2)
  converter.left = 10
  clock.ahead = 600_000
  await expect.poll(() => listed('out')).toHaveLength(4)
  expect(converter.charged.size).toBe(4)
  expect((await watcher.progress()).problem).toBeNull()
})

test('whoever has credits without end does not wait for more, whatever was refused', async () => {
  await put('a.jpg', 'fine')
  const clock = testClock()
  converter.before = async () => {
    converter.before = async () => {}
    throw Object.assign(new Error('refused'), { code: 'entitlements.plan_required' })
  }
  const { watcher } = watchOn({ clock })
  await expect.poll(async () => (await watcher.progress()).problem?.key).toBe('watch.no_credits')
  clock.ahead = 6_000
  await expect.poll(() => listed('out')).toEqual(['a.out'])
})

testFull(
  'a conversion that was interrupted is tried again under a new key, and what it would cost twice is not',
  async () => {
    await put('a.jpg', 'fail jobs.interrupted')
    const clock = testClock()
    const { watcher, happened } = watchOn({ clock })
    await expect.poll(async () => (await watcher.progress()).parked).toHaveLength(1)
    clock.ahead = 6_000
    await expect.poll(() => converter.calls).toBe(2)
    clock.ahead = 30_000
    await expect.poll(() => converter.calls).toBe(3)
    expect(happened).toHaveLength(1)
    await expect
      .poll(() => journalOf().get('a.jpg', hashOf('fail jobs.interrupted')))
      .toMatchObject({ attempt: 3 })
  },
)

testFull('one that was canceled by our own stop goes on at the next start', async () => {
  await put('a.jpg', 'fine')
  converter.before = async () => {
    await sleep(150)
  }
  const { watcher } = watchOn()
  await expect.poll(() => converter.calls).toBe(1)
  await watcher.stop()
  converter.before = async () => {
    converter.before = async () => {}
    throw Object.assign(new Error('canceled'), { code: 'jobs.canceled' })
  }
  expect(await watching()).toMatchObject([{ output: join(place, 'out', 'a.out') }])
})

test('after a kill while a result gets its name, there is one result', async () => {
  await Promise.all([put('there.jpg', 'fine'), put('gone.jpg', 'fine')])
  await writeFile(join(place, 'out', 'there.out'), 'the result')
  for (const name of ['there', 'gone']) {
    const placing = { output: join(place, 'out', `${name}.out`), result: hashOf('the result') }
    await journalOf().add({ state: 'placing', file: `${name}.jpg`, content: hashOf('fine'), ...placing })
  }
  expect((await watching()).map(({ file }) => file)).toEqual(['gone.jpg'])
  expect(await readFile(join(place, 'out', 'there.out'), 'utf8')).toBe('the result')
  expect(await watching()).toEqual([])
  expect(await listed('out')).toEqual(['gone.out', 'there.out'])
})

test('a journal that is damaged is said, kept beside and never changed, and nothing is converted', async () => {
  await put('a.jpg', 'fine')
  await watching()
  database[Symbol.dispose]()
  const path = join(place, 'home', 'watch', 'watch.db')
  const whole = await readFile(path)
  const open = () => Database.open(join(place, 'home', 'watch'))
  for (const damaged of [
    whole.subarray(0, 100),
    Buffer.alloc(500),
    Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096)]),
  ]) {
    await writeFile(path, damaged)
    await expect(open()).rejects.toMatchObject({ reason: { key: 'watch.rules_damaged' } })
    await expect(open()).rejects.toThrow('damaged')
    expect(await readFile(path)).toEqual(damaged)
    const [kept, ...others] = (await listed('home/watch')).filter(name => name.endsWith('.damaged'))
    expect([await readFile(join(place, 'home', 'watch', kept!)), others]).toEqual([damaged, []])
    await rm(join(place, 'home', 'watch', kept!))
  }
  await writeFile(path, whole)
  database = await open()
  expect(await watching()).toEqual([])
})

testFull('a journal whose end was cut off loses only that, and is written on', async () => {
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
  await watching({ jobs: 1 })
  // As after a power loss: the log was not yet taken over, and its last write is not whole.
  const folder = join(place, 'home', 'lost')
  await mkdir(folder)
  for (const suffix of ['', '-wal'])
    await copyFile(join(place, 'home', 'watch', `watch.db${suffix}`), join(folder, `watch.db${suffix}`))
  const log = join(folder, 'watch.db-wal')
  const { size } = await stat(log)
  await truncate(log, size - 20)
  database[Symbol.dispose]()
  database = await Database.open(folder)
  const states = () => database.all('SELECT state FROM entries ORDER BY rowid').map(({ state }) => state)
  expect(states()).not.toHaveLength(0)
  expect(await watching()).toEqual([])
  expect(states()).toEqual(['done', 'done'])
  expect([await listed('out'), converter.calls]).toEqual([['a.out', 'b.out'], 2])
})

testFull(
  'several files of one result come into a folder, which a kill leaves whole or not at all',
  async () => {
    await put('a.b.jpg', 'several')
    const [folder, second] = [join(place, 'out', 'a.b'), join(place, 'out', 'a.b', 'more', 'a.b-2.out')]
    const seen: JournalEntry[] = []
    const add = vi.spyOn(Journal.prototype, 'add').mockImplementation(async function (this: Journal, entry) {
      seen.push(entry)
      add.mockRestore()
      await this.add(entry)
    })
    expect(await watching()).toMatchObject([{ file: 'a.b.jpg', output: folder }])
    expect(await readFile(second, 'utf8')).toBe('second')
    expect(seen).toMatchObject([{ state: 'placing', output: folder }])
    const killed = () => journalOf().add(seen[0]!)
    await killed()
    expect(await watching()).toEqual([])
    await killed()
    await rm(folder, { recursive: true })
    expect(await watching()).toMatchObject([{ output: folder }])
    // One that is not the result any more is not taken for it.
    await killed()
    await writeFile(second, 'mine')
    expect(await watching()).toMatchObject([{ output: `${folder} (2)` }])
    expect(await readFile(second, 'utf8')).toBe('mine')
  },
)

testFull(
  'folders inside count if they are to, but not those that are being filled, nor the data folder',
  async () => {
    rule = makeRule(
      { ...given(), folder: place, recursive: true, out: join(place, '..', 'out') },
      join(place, 'home'),
    )
    const out = join(place, 'results')
    rule = { ...rule, out }
    await mkdir(out)
    for (const name of ['.refile-1.part', 'whole', 'home/kept']) {
      await mkdir(join(place, 'in', name), { recursive: true })
      await writeFile(join(place, 'in', name, 'a.jpg'), 'fine')
    }
    await mkdir(join(place, 'home', 'kept'), { recursive: true })
    await writeFile(join(place, 'home', 'kept', 'secret.json'), 'fine')
    const found = (await watching({}, { ...rule, pattern: '*.{jpg,json}' })).map(({ file }) => file)
    expect(found.toSorted()).toEqual([join('in', 'home/kept', 'a.jpg'), join('in', 'whole', 'a.jpg')])
  },
)

testFull('originals move once their result is there, and replace none', async () => {
  rule = ruleOf({ moveTo: join(place, 'originals') })
  await Promise.all([
    put('a.jpg', 'fine'),
    put('bad.jpg', 'fail jobs.corrupt_input'),
    put('more.jpg', 'several'),
  ])
  await watching()
  await put('a.jpg', 'warn')
  await watching()
  expect(await listed('originals')).toEqual(['a (2).jpg', 'a.jpg', 'more.jpg'])
  expect(await readFile(join(place, 'originals', 'a.jpg'), 'utf8')).toBe('fine')
  expect(await listed('in')).toEqual(['bad.jpg'])
})

if (canMount)
  testFull(
    'an original that was set aside as its process was killed has its name again, and moves once',
    async () => {
      const moveTo = await smallDisk(1)
      rule = ruleOf({ recursive: true })
      await mkdir(join(place, 'in', 'x'))
      await Promise.all([put('a.jpg', 'fine'), put(join('x', 'a.jpg'), 'fine too')])
      await watching()
      for (const [path, text] of [
        ['a.jpg', 'fine'],
        [join('x', 'a.jpg'), 'fine too'],
      ] as const) {
        const script = `import files from 'node:fs/promises'
        import { syncBuiltinESMExports } from 'node:module'
        const { unlink } = files
        files.unlink = async path => path.endsWith('.part') ? unlink(path) : process.kill(process.pid, 'SIGKILL')
        files.rm = async path => path.endsWith('.part') || process.kill(process.pid, 'SIGKILL')
        syncBuiltinESMExports()
        const { moveFile } = await import(${JSON.stringify(join(import.meta.dirname, '../shared/placing/move.ts'))})
        const [path, root] = ${JSON.stringify([join(place, 'in', path), moveTo])}
        await moveFile(path, { root }, ${JSON.stringify(hashOf(text))})`
        const { signal } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script])
        expect([signal, (await listed('in')).includes(path)]).toEqual(['SIGKILL', false])
      }
      rule = ruleOf({ recursive: true, moveTo })
      await watching()
      expect(await listed('in')).toEqual(['x'])
      const moved = (await readdir(moveTo)).toSorted()
      expect(moved).toEqual(['a (2).jpg', 'a.jpg'])
      expect(await readFile(join(moveTo, 'a.jpg'), 'utf8')).toBe('fine')
      expect(converter.charged.size).toBe(2)
    },
  )

test('originals go to the recycle bin once their result reads as it was made, unless there were warnings', async () => {
  rule = ruleOf({ original: 'recycle' })
  const recycled: string[] = []
  const recycle = async (path: string) => {
    recycled.push(path)
    await rm(path)
  }
  await Promise.all([
    put('a.jpg', 'fine'),
    put('lost.jpg', 'warn'),
    put('bad.jpg', 'fail jobs.corrupt_input'),
  ])
  expect(await watching({ recycle })).toHaveLength(3)
  expect(recycled).toEqual([join(place, 'in', 'a.jpg')])
  expect(await listed('in')).toEqual(['bad.jpg', 'lost.jpg'])
  // Known from the journal, the same content goes too, but not once its result is another file or had warnings.
  await put('a.jpg', 'fine')
  await watching({ recycle })
  expect(recycled).toHaveLength(2)
  await writeFile(join(place, 'out', 'a.out'), 'changed')
  await put('a.jpg', 'fine')
  await watching({ recycle })
  expect(recycled).toHaveLength(2)
})

test('an original that cannot go stays, is reported, and holds up no other', async () => {
  rule = ruleOf({ original: 'recycle' })
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
  const happened = await watching({ recycle: () => Promise.reject(new Error('none here')) })
  expect(happened.filter(({ notGone }) => notGone !== undefined)).toHaveLength(2)
  expect(await listed('out')).toEqual(['a.out', 'b.out'])
  expect(await listed('in')).toHaveLength(2)
})

testFull('two rules that recycle in one folder both get their results, of every file', async () => {
  const recycled: string[] = []
  const recycle = async (path: string) => {
    recycled.push(path)
    await rm(path)
  }
  const other = ruleOf({ target: 'png', original: 'recycle' })
  rule = ruleOf({ original: 'recycle' })
  watchOn({ recycle }, other)
  watchOn({ recycle })
  await expect.poll(() => isLocked(database, ruleId(other)) && isLocked(database, ruleId(rule))).toBe(true)
  await Promise.all(Array.from({ length: 30 }, (_, at) => put(`${at}.jpg`, `${at}`)))
  await expect.poll(() => listed('in'), { timeout: 15_000 }).toEqual([])
  expect(await listed('out')).toHaveLength(60)
  expect([converter.charged.size, new Set(recycled).size]).toEqual([60, 30])
})

testFull(
  'an original stays while another process has to convert it too, or was killed a moment ago',
  async () => {
    const other = ruleOf({ target: 'png' })
    const locked = lock(database, ruleId(other), other)
    const forget = () => database.set('UPDATE rules SET seen = 0 WHERE id = ?', ruleId(other))
    rule = ruleOf({ moveTo: join(place, 'originals') })
    await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'warn')])
    // One that watches is there whatever its clock says.
    forget()
    await watching()
    expect(await listed('in')).toEqual(['a.jpg', 'b.jpg'])
    const done = { content: hashOf('fine'), output: 'a.png', result: '' }
    await journalOf(other).add({ state: 'done', file: 'a.jpg', ...done })
    await watching()
    expect(await listed('in')).toEqual(['b.jpg'])
    locked[Symbol.dispose]()
    database.set(
      'INSERT INTO rules (id, rule, seen) VALUES (?, ?, ?)',
      ruleId(other),
      JSON.stringify(other),
      Date.now(),
    )
    await watching()
    expect(await listed('in')).toEqual(['b.jpg'])
    forget()
    await watching()
    expect(await listed('in')).toEqual([])
  },
)

testFull('a rule has one watcher in all processes, and that of one that was killed is free', async () => {
  const id = ruleId(rule)
  const script = `import { Database } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))}
    import { lock } from ${JSON.stringify(join(import.meta.dirname, 'rules.ts'))}
    lock(await Database.open(${JSON.stringify(database.folder)}), ${JSON.stringify(id)}, {})
    process.stdout.write('locked')
    setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script])
  await once(child.stdout, 'data')
  expect(() => lock(database, id, rule)).toThrow('Another program')
  expect(isLocked(database, id)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isLocked(database, id)).toBe(false)
  using _lock = lock(database, id, rule)
  expect(() => lock(database, id, rule)).toThrow('Another program')
})

testFull('a state that cannot be written down is said once, and holds the rule until it can', async () => {
  const set = Database.prototype.set
  let isFull = true
  const failing = vi.spyOn(Database.prototype, 'set').mockImplementation(function (
    this: Database,
    sql,
    ...given
  ) {
    const isState = sql.includes('progress') && given[2] !== 'null'
    if (isFull && isState) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return set.call(this, sql, ...given)
  })
  onTestFinished(() => failing.mockRestore())
  await put('a.jpg', 'fine')
  const reasons: unknown[] = []
  watchOn({ intervalMs: 10, onHold: reason => reasons.push(reason) })
  await expect.poll(() => reasons).not.toEqual([])
  await sleep(300)
  expect(reasons).toEqual([expect.stringMatching(/^The disk is full\./)])
  isFull = false
  await expect.poll(() => listed('out')).toEqual(['a.out'])
})

testFull('what holds a rule is said once, though a file is done meanwhile', async () => {
  rule = ruleOf({ original: 'recycle' })
  const { promise, resolve } = Promise.withResolvers<void>()
  await put('a.jpg', 'fine')
  const held: string[] = []
  const onHold = (reason: string) => held.push(reason)
  const { watcher } = watchOn({ intervalMs: 10, onHold, recycle: () => promise })
  await expect.poll(() => listed('out')).toEqual(['a.out'])
  await rename(join(place, 'in'), join(place, 'away'))
  await expect.poll(async () => (await watcher.progress()).problem?.key).toBe('watch.unreadable')
  resolve()
  await sleep(200)
  expect(held).toHaveLength(1)
})

testFull('a folder that is gone holds the rule until it is back', async () => {
  await put('a.jpg', 'fine')
  const [held, errors]: [unknown[], unknown[]] = [[], []]
  const onHold = (reason: string) => held.push(reason)
  const { watcher } = watchOn({ intervalMs: 10, onHold, onError: error => errors.push(error) })
  await expect.poll(() => listed('out')).toEqual(['a.out'])
  const report = () => process.report.getReport() as unknown as { libuv: { type: string }[] }
  const watchers = () => report().libuv.filter(({ type }) => type === 'fs_event').length
  const before = watchers()
  const problem = async () => (await watcher.progress()).problem?.key
  for (let time = 1; time <= 3; time++) {
    await rename(join(place, 'in'), join(place, 'away'))
    await expect.poll(problem).toBe('watch.unreadable')
    await sleep(100)
    // It is said once each time, as a state and not as an error.
    expect([held.length, errors]).toEqual([time, []])
    await rename(join(place, 'away'), join(place, 'in'))
    await expect.poll(problem).toBeUndefined()
  }
  // Nothing piles up.
  await expect.poll(watchers).toBe(before)
  await put('b.jpg', 'fine')
  await expect.poll(() => listed('out')).toEqual(['a.out', 'b.out'])
  expect((await watcher.progress()).problem).toBeNull()
  expect(converter.calls).toBe(2)
})

test('results that would be converted again, or lie in the data folder, are refused with the rule', async () => {
  const inside = (change: Partial<Rule>) => () => ruleOf(change)
  const home = join(place, 'home')
  expect(inside({ out: given().folder })).toThrow('into the watched folder')
  expect(inside({ out: join(given().folder, 'below'), recursive: true })).toThrow('into the watched folder')
  expect(inside({ moveTo: join(place, 'out', '..', 'in') })).toThrow('originals')
  expect(inside({ moveTo: join(place, 'originals'), original: 'recycle' })).toThrow('not valid')
  expect(inside({ out: join(given().folder, 'below') })).not.toThrow()
  for (const change of [{ folder: home }, { out: join(home, 'out') }, { moveTo: home }])
    expect(inside(change)).toThrow('own data')
  // A link to the data folder is the data folder.
  await symlink(home, join(place, 'door'))
  expect(() => makeRule({ ...given(), moveTo: home }, join(place, 'door'))).toThrow('own data')
  expect(inside({ out: join(place, 'door') })).toThrow('own data')
})

test('rules for other files of a folder are other rules', () => {
  expect(new Set(['*', '*.heic', '*.png'].map(pattern => ruleId({ ...rule, pattern }))).size).toBe(3)
})

test.each([
  ['a.jpg', '*', true],
  ['a.jpg', '*.{png,jpg}', true],
  ['a.gif', '*.jpg', false],
  ['IMG_1.JPG', '*.jpg', true],
  ['.a.jpg', '*', false],
  ['a.jpg.crdownload', '*', false],
  ['~$a.docx', '*', false],
  ['._a.jpg', '*', false],
  ['a.jpg~', '*', false],
])('%s and %s', (name, pattern, expected) => {
  expect(matches({ ...given(), pattern }, name)).toBe(expected)
})

test('what fails waits longer each time, at most an hour', () => {
  expect([0, 1, 2, 20].map(waitAfter)).toEqual([5_000, 10_000, 20_000, 3_600_000])
})
