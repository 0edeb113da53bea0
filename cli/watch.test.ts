import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fileFrom, Refile } from '../sdk/src/index.ts'
import { Journal } from '../service/shared/watch/journal.ts'
import { AlreadyWatched, lock } from '../service/shared/watch/lock.ts'
import { OtherRules } from '../service/shared/watch/others.ts'
import { makeRule, matches, type Rule } from '../service/shared/watch/rule.ts'
import {
  type Converting,
  type Happening,
  pauseAfter,
  type WatchSettings,
  watch,
} from '../service/shared/watch/watch.ts'
import { misbehaving } from '../testing/misbehaving.ts'
import { sharedService } from '../testing/service.ts'

const service = sharedService(misbehaving)

let place: string
let rule: Rule
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'refile-watch-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  await Promise.all(['in', 'out'].map(name => mkdir(join(place, name))))
  rule = makeRule({ ...given(), out: join(place, 'out') })
})

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
const results = async () => (await readdir(join(place, 'out')).catch((): string[] => [])).toSorted()
const journalPath = () => join(place, 'journal.jsonl')

/** Watches with the journal of this test; with `once` until nothing is left to do. */
async function watching(settings: Partial<WatchSettings> = {}): Promise<Happening[]> {
  const happened: Happening[] = []
  const client = new Refile({ baseUrl: service().url, apiKey: service().key })
  await using journal = await Journal.open(journalPath())
  await watch(rule, client, journal, {
    ...{ jobs: 4, intervalMs: 50, retry: false, once: true, signal: new AbortController().signal },
    report: happening => happened.push(happening),
    recycle: async () => {
      throw new Error('No original is to go to the recycle bin.')
    },
    ...settings,
  })
  return happened
}

test('a file that changes while it is sent is new work, and holds up no other', async () => {
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
  await using journal = await Journal.open(journalPath())
  const client = new Refile({ baseUrl: service().url, apiKey: service().key })
  let left = 2
  const changing: Converting = {
    convert: async (path, ...settings) => {
      const source = await fileFrom(path)
      if (path.endsWith('a.jpg') && left-- > 0) await appendFile(path, ' 1')
      return client.convert(source, ...settings)
    },
  }
  const signal = AbortSignal.timeout(20_000)
  const happened: Happening[] = []
  await watch(rule, changing, journal, {
    ...{ jobs: 1, intervalMs: 50, retry: false, once: true, signal },
    report: happening => happened.push(happening),
    recycle: async () => {},
  })
  expect(happened.map(({ file }) => file).toSorted()).toEqual(['a.jpg', 'b.jpg'])
  expect(await results()).toEqual(['a.out', 'b.out'])
})

test('each content becomes one result, however it comes and however often it is looked at', async () => {
  const stopping = new AbortController()
  const happened: Happening[] = []
  const ended = watching({ once: false, signal: stopping.signal, report: one => happened.push(one) })
  await put('slow.jpg', '')
  for (const letter of 'fine') {
    await appendFile(join(place, 'in', 'slow.jpg'), letter)
    await sleep(30)
  }
  await put('.hidden.jpg', 'fine')
  await put('moved.jpg.part', 'fine')
  await rename(join(place, 'in', 'moved.jpg.part'), join(place, 'in', 'moved.jpg'))
  await expect.poll(results).toEqual(['moved.out', 'slow.out'])
  await put('moved.jpg', 'warn')
  await expect.poll(results).toEqual(['moved (2).out', 'moved.out', 'slow.out'])
  await sleep(200)
  stopping.abort()
  await ended
  expect(happened).toHaveLength(3)
  expect(happened.find(({ warnings }) => warnings?.length)).toMatchObject({ file: 'moved.jpg' })
  expect(await results()).toHaveLength(3)
})

test('what was done before a restart is not done again, and what came meanwhile is', async () => {
  await put('a.jpg', 'fine')
  expect(await watching()).toHaveLength(1)
  await put('b.jpg', 'fine')
  expect((await watching()).map(({ file }) => file)).toEqual(['b.jpg'])
  expect(await results()).toEqual(['a.out', 'b.out'])
})

test('a name with dots keeps them, once', async () => {
  await put('holiday.2024.jpg', 'fine')
  expect(await watching()).toMatchObject([{ output: join(place, 'out', 'holiday.2024.out') }])
})

test('a failure is parked until its content changes or it is asked for', async () => {
  await put('a.jpg', 'fail-with-cause')
  expect(await watching()).toMatchObject([{ file: 'a.jpg', error: { code: 'jobs.corrupt_input' } }])
  expect(await watching()).toEqual([])
  expect(await watching({ retry: true })).toHaveLength(1)
  await put('a.jpg', 'fine')
  expect(await watching()).toMatchObject([{ output: join(place, 'out', 'a.out') }])
})

test('after a kill while a result gets its name, there is one result', async () => {
  const content = createHash('sha256').update('fine').digest('hex')
  await Promise.all([put('there.jpg', 'fine'), put('gone.jpg', 'fine')])
  await writeFile(join(place, 'out', 'there.out'), 'the result')
  const result = createHash('sha256').update('the result').digest('hex')
  const placing = (file: string, output: string) =>
    JSON.stringify({ state: 'placing', file, content, output: join(place, 'out', output), result })
  await writeFile(
    journalPath(),
    `${placing('there.jpg', 'there.out')}\n${placing('gone.jpg', 'gone.out')}\n{"state":"do`,
  )
  expect((await watching()).map(({ file }) => file)).toEqual(['gone.jpg'])
  expect(await readFile(join(place, 'out', 'there.out'), 'utf8')).toBe('the result')
  expect(await watching()).toEqual([])
  expect(await results()).toEqual(['gone.out', 'there.out'])
})

test('several files of one result come into a folder, which a kill leaves whole or not at all', async () => {
  await put('a.b.jpg', 'several')
  const [folder, second] = [join(place, 'out', 'a.b'), join(place, 'out', 'a.b', 'more', 'a.b-2.out')]
  expect(await watching()).toMatchObject([{ file: 'a.b.jpg', output: folder }])
  expect(await readFile(second, 'utf8')).toBe('second')
  expect(await results()).toEqual(['a.b'])
  const lines = (await readFile(journalPath(), 'utf8')).trim().split('\n')
  expect(lines.map(line => JSON.parse(line).state)).toEqual(['placing', 'done'])
  await writeFile(journalPath(), `${lines[0]}\n`)
  expect(await watching()).toEqual([])
  // Without its name it is only what a kill left.
  await writeFile(journalPath(), `${lines[0]}\n`)
  await rm(folder, { recursive: true })
  expect(await watching()).toMatchObject([{ output: folder }])
  expect(await results()).toEqual(['a.b'])
  // One that is not the result any more is not taken for it.
  await writeFile(journalPath(), `${lines[0]}\n`)
  await writeFile(second, 'mine')
  expect(await watching()).toMatchObject([{ output: `${folder} (2)` }])
  expect(await readFile(second, 'utf8')).toBe('mine')
})

test('the original of several files goes once all are there', async () => {
  const recycled: string[] = []
  const recycle = async (path: string) => void recycled.push(path)
  rule = makeRule({ ...given(), original: 'recycle' })
  await put('pages.jpg', 'several')
  await watching({ recycle })
  expect(recycled).toEqual([join(place, 'in', 'pages.jpg')])
  rule = makeRule({ ...given(), moveTo: join(place, 'done') })
  await put('more.jpg', 'several')
  await watching()
  expect(await readdir(join(place, 'done'))).toContain('more.jpg')
})

test('a folder that is still being filled beside others is not looked into', async () => {
  rule = makeRule({ ...given(), recursive: true })
  for (const name of ['.refile-1.part', 'whole']) {
    await mkdir(join(place, 'in', name))
    await writeFile(join(place, 'in', name, 'a.jpg'), 'fine')
  }
  expect((await watching()).map(({ file }) => file)).toEqual([join('whole', 'a.jpg')])
})

test('originals move once their result is there, and replace none', async () => {
  rule = makeRule({ ...given(), moveTo: join(place, 'originals') })
  await Promise.all([put('a.jpg', 'fine'), put('bad.jpg', 'fail-with-cause')])
  await watching()
  await put('a.jpg', 'warn')
  await watching()
  expect((await readdir(join(place, 'originals'))).toSorted()).toEqual(['a (2).jpg', 'a.jpg'])
  expect(await readFile(join(place, 'originals', 'a.jpg'), 'utf8')).toBe('fine')
  expect(await readdir(join(place, 'in'))).toEqual(['bad.jpg'])
})

test('originals go to the recycle bin once their result reads as it was made, unless there were warnings', async () => {
  rule = makeRule({ ...given(), original: 'recycle' })
  const recycled: string[] = []
  const recycle = async (path: string) => {
    recycled.push(path)
    await rm(path)
  }
  await Promise.all([put('a.jpg', 'fine'), put('lost.jpg', 'warn'), put('bad.jpg', 'fail-with-cause')])
  expect(await watching({ recycle })).toHaveLength(3)
  expect(recycled).toEqual([join(place, 'in', 'a.jpg')])
  expect((await readdir(join(place, 'in'))).toSorted()).toEqual(['bad.jpg', 'lost.jpg'])
  // Known from the journal, the same content goes too, but not once its result is another file or had warnings.
  await put('a.jpg', 'fine')
  await watching({ recycle })
  expect(recycled).toHaveLength(2)
  await writeFile(join(place, 'out', 'a.out'), 'changed')
  await put('a.jpg', 'fine')
  await watching({ recycle })
  expect(recycled).toHaveLength(2)
})

test('an original that cannot go to the recycle bin stays, is reported, and holds up no other', async () => {
  rule = makeRule({ ...given(), original: 'recycle' })
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'fine')])
  const happened = await watching({ recycle: () => Promise.reject(new Error('none here')) })
  expect(happened.filter(({ notRecycled }) => notRecycled !== undefined)).toHaveLength(2)
  expect(await results()).toEqual(['a.out', 'b.out'])
  expect(await readdir(join(place, 'in'))).toHaveLength(2)
})

test('an original stays while another process has to convert it too, or was killed a moment ago', async () => {
  const rules = join(place, 'rules')
  const other = makeRule({ ...given(), target: 'png', out: join(place, 'out') })
  await using journal = await Journal.open(join(rules, 'other.jsonl'))
  const { [Symbol.asyncDispose]: unlock } = await lock(join(rules, 'other.lock'), other)
  rule = makeRule({ ...given(), moveTo: join(place, 'originals') })
  const others = new OtherRules(rules, 'this')
  await Promise.all([put('a.jpg', 'fine'), put('b.jpg', 'warn')])
  await watching({ others })
  expect(await readdir(join(place, 'in'))).toEqual(['a.jpg', 'b.jpg'])
  const content = createHash('sha256').update('fine').digest('hex')
  await journal.add({ state: 'done', file: 'a.jpg', content, output: 'a.png' })
  await watching({ others })
  expect(await readdir(join(place, 'in'))).toEqual(['b.jpg'])
  await utimes(join(rules, 'other.lock'), 0, 0)
  await watching({ others })
  expect(await readdir(join(place, 'in'))).toEqual([])
  await unlock()
})

test('a rule has one watcher, and that of one that was killed is free', async () => {
  const path = join(place, 'rules', 'this.lock')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  const held = JSON.stringify({ pid: child.pid, rule })
  await mkdir(join(place, 'rules'))
  await writeFile(path, held)
  await expect(lock(path, rule)).rejects.toThrow(AlreadyWatched)
  // Its number may be that of any process now.
  await utimes(path, 0, 0)
  await (await lock(path, rule))[Symbol.asyncDispose]()
  await writeFile(path, held)
  child.kill()
  await once(child, 'exit')
  await using _lock = await lock(path, rule)
  expect(await readFile(path, 'utf8')).toContain(`{"pid":${process.pid},`)
})

test('looking takes little of the time, also at very many files', () => {
  const looks = [pauseAfter(1, true, 2000), pauseAfter(300, true, 2000), pauseAfter(300, false, 2000)]
  expect(looks).toEqual([2000, 6000, 2000])
})

test('results that would be converted again are refused with the rule', () => {
  const inside = (change: Partial<Rule>) => () => makeRule({ ...given(), ...change })
  expect(inside({ out: given().folder })).toThrow('watched folder')
  expect(inside({ out: join(given().folder, 'below'), recursive: true })).toThrow('watched folder')
  expect(inside({ moveTo: join(place, 'out', '..', 'in') })).toThrow('originals')
  expect(inside({ moveTo: join(place, 'originals'), original: 'recycle' })).toThrow('not both')
  expect(inside({ out: join(given().folder, 'below') })).not.toThrow()
})

test.each([
  ['a.jpg', '*', true],
  ['a.jpg', '*.{png,jpg}', true],
  ['a.gif', '*.jpg', false],
  ['IMG_1.JPG', '*.jpg', true],
  ['.a.jpg', '*', false],
  ['a.jpg.crdownload', '*', false],
  ['a.jpg~', '*', false],
])('%s and %s', (name, pattern, expected) => {
  expect(matches({ ...given(), pattern }, name)).toBe(expected)
})
