import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { WatchRule } from './types.ts'

let place: string
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'refile-watching-')))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  await Promise.all(['in', 'out', 'originals'].map(name => mkdir(join(place, name))))
})
const given = () => ({ folder: join(place, 'in'), target: 'webp', out: join(place, 'out') })
const put = (name: string, text: string) => writeFile(join(place, 'in', name), text)
const results = async () => (await readdir(join(place, 'out'))).toSorted()

async function open(home: string, parts: Parameters<typeof testService>[0] = {}) {
  const service = await testService({
    ...misbehaving,
    ...parts,
    home,
    recycle: path => rm(path),
    lookMs: 100,
  })
  const app = await openApp(service)
  const rules = () => json<WatchRule[]>(app.call('/app/watch'))
  const pause = (id: string, paused: boolean) =>
    app.call(`/app/watch/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ paused }),
      headers: { 'content-type': 'application/json' },
    })
  return { ...app, service, rules, pause, first: async () => (await rules())[0]! }
}
const soon = { timeout: 20_000 }

test('files that come are converted once, also after a restart; failures wait to be tried again', async () => {
  const home = join(place, 'home')
  const app = await open(home)
  await put('there.jpg', 'fine')
  const made = await json<WatchRule>(app.post('/app/watch', { ...given(), moveTo: join(place, 'originals') }))
  expect(made).toMatchObject({ ...given(), pattern: '*', recursive: false, paused: false, failed: [] })
  expect(JSON.stringify(made)).not.toContain('account')
  await expect.poll(results, soon).toEqual(['there.out'])
  await put('bad.jpg', 'fail-with-cause')
  await expect.poll(app.first, soon).toMatchObject({
    done: 1,
    failed: [{ file: 'bad.jpg', detail: expect.stringContaining('damaged') }],
  })
  expect(await readdir(join(place, 'originals'))).toEqual(['there.jpg'])
  const german = await app.call('/app/watch', {
    headers: { cookie: `${app.session.cookie}; refile_language=de` },
  })
  expect((await json<WatchRule[]>(german))[0]!.failed[0]!.detail).toContain('beschädigt')
  if (!isFull) return

  // What came while it was paused waits for it to go on.
  expect(await json<WatchRule>(app.pause(made.id, true))).toMatchObject({ paused: true, done: 1 })
  await put('bad.jpg', 'fine')
  await put('later.jpg', 'fine')
  await app.service.close()
  const again = await open(home)
  expect(await again.rules()).toMatchObject([
    { id: made.id, paused: true, done: 1, failed: [{ file: 'bad.jpg' }] },
  ])
  await again.pause(made.id, false)
  await expect.poll(results, soon).toEqual(['bad.out', 'later.out', 'there.out'])
  await expect.poll(again.first, soon).toMatchObject({ done: 3, failed: [] })

  await put('worse.jpg', 'fail-with-cause')
  await expect.poll(again.first, soon).toMatchObject({ failed: [{ file: 'worse.jpg' }] })
  // The same content again: without anybody's doing it is left alone.
  const before = (await json<{ items: unknown[] }>(again.call('/app/jobs'))).items.length
  await again.post(`/app/watch/${made.id}/retry`, {})
  await expect
    .poll(async () => (await json<{ items: unknown[] }>(again.call('/app/jobs'))).items.length, soon)
    .toBe(before + 1)
  expect((await again.call(`/app/watch/${made.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await again.rules()).toEqual([])
  expect(await readFile(join(place, 'in', 'worse.jpg'), 'utf8')).toBe('fail-with-cause')
  expect((await again.pause(made.id, true)).status).toBe(404)
})

testFull(
  'originals go to the recycle bin by a rule that says so, unless it is that of another machine',
  async () => {
    const app = await open(join(place, 'home'))
    await Promise.all([put('a.jpg', 'fine'), put('lost.jpg', 'warn')])
    const made = await json<WatchRule>(app.post('/app/watch', { ...given(), original: 'recycle' }))
    expect(made).toMatchObject({ original: 'recycle', moveTo: null })
    await expect.poll(app.first, soon).toMatchObject({ done: 2, problem: null })
    await expect.poll(() => readdir(join(place, 'in')), soon).toEqual(['lost.jpg'])
    const other = await testService({ ...misbehaving, host: '0.0.0.0' })
    const answer = await (await openApp(other)).post('/app/watch', { ...given(), original: 'recycle' })
    expect(answer.status).toBe(400)
    expect((await json<{ detail: string }>(answer)).detail).toContain('on this machine')
  },
)

if (isFull)
  test.each([{ original: 'recycle' }, { moveTo: true }])(
    'an original that goes by %o stays until every rule of the folder has its result',
    async ({ moveTo, ...original }) => {
      const app = await open(join(place, 'home'))
      const second = await json<WatchRule>(app.post('/app/watch', { ...given(), target: 'png' }))
      await app.pause(second.id, true)
      const leaving = { ...original, ...(moveTo && { moveTo: join(place, 'originals') }) }
      await app.post('/app/watch', { ...given(), ...leaving })
      await put('a.jpg', 'fine')
      await expect.poll(results, soon).toEqual(['a.out'])
      await sleep(300)
      expect(await readdir(join(place, 'in'))).toEqual(['a.jpg'])
      await app.pause(second.id, false)
      await expect.poll(results, soon).toEqual(['a (2).out', 'a.out'])
      await expect.poll(() => readdir(join(place, 'in')), soon).toEqual([])
      expect(await app.rules()).toMatchObject([{ problem: null }, { problem: null }])
    },
  )

test('rules that are added at once are all there, also of one folder for other files, and one of a kind', async () => {
  const app = await open(join(place, 'home'))
  const patterns = ['*.heic', '*.png', '*.jpg', '*.jpg']
  const answers = await Promise.all(
    patterns.map(pattern => app.post('/app/watch', { ...given(), pattern, target: 'jpg' })),
  )
  const statuses = answers.map(({ status }) => status)
  expect([201, 400].map(each => statuses.filter(status => status === each).length)).toEqual([3, 1])
  const there = (await app.rules()).map(({ pattern }) => pattern)
  expect(there.toSorted()).toEqual(['*.heic', '*.jpg', '*.png'])
  await app.service.close()
  expect(await (await open(join(place, 'home'))).rules()).toHaveLength(3)
})

testFull(
  'a rule that is changed is replaced in one step, keeps what it is paused by, and stays if the new one is refused',
  async () => {
    const app = await open(join(place, 'home'))
    const put = (id: string, rule: object) =>
      app.call(`/app/watch/${id}`, {
        method: 'PUT',
        body: JSON.stringify(rule),
        headers: { 'content-type': 'application/json' },
      })
    const [first, other] = await Promise.all(
      ['webp', 'png'].map(async target =>
        json<WatchRule>(app.post('/app/watch', { ...given(), target, pattern: '*.jpg' })),
      ),
    )
    await app.pause(other!.id, true)
    // Another rule is so, and the folder is not there: what was stays, and goes on.
    expect((await put(first!.id, { ...given(), target: 'png', pattern: '*.jpg' })).status).toBe(400)
    expect((await put(first!.id, { ...given(), out: join(place, 'none') })).status).toBe(400)
    expect(await app.rules()).toHaveLength(2)
    await put(other!.id, { ...given(), target: 'avif', pattern: '*.jpg' })
    await writeFile(join(place, 'in', 'a.jpg'), 'fine')
    await expect.poll(results, soon).toEqual(['a.out'])
    const changed = await json<WatchRule>(
      put(first!.id, { ...given(), out: join(place, 'originals'), pattern: '*.jpg' }),
    )
    expect(changed.id).not.toBe(first!.id)
    await expect.poll(() => readdir(join(place, 'originals')), soon).toEqual(['a.out'])
    expect((await app.rules()).map(({ target, paused }) => `${target} ${paused}`).toSorted()).toEqual([
      'avif true',
      'webp false',
    ])
    expect((await put(first!.id, given())).status).toBe(404)
  },
)

testFull(
  'damaged rules are said, kept beside, and never overwritten; once they are whole again, they hold',
  async () => {
    const folder = join(place, 'home', 'watch')
    const path = join(folder, 'watch.db')
    const before = await open(join(place, 'home'))
    await before.post('/app/watch', given())
    await before.service.close()
    const whole = await readFile(path)
    const damaged = whole.subarray(0, 100)
    await writeFile(path, damaged)
    const app = await open(join(place, 'home'))
    for (const answer of [await app.call('/app/watch'), await app.post('/app/watch', given())]) {
      expect(answer.status).toBe(503)
      expect((await json<{ detail: string }>(answer)).detail).toContain('are damaged')
    }
    expect(await readFile(path)).toEqual(damaged)
    const [kept, ...others] = (await readdir(folder)).filter(name => name.endsWith('.damaged'))
    expect([await readFile(join(folder, kept!)), others]).toEqual([damaged, []])
    await writeFile(path, whole)
    await put('a.jpg', 'fine')
    expect(await app.rules()).toHaveLength(1)
    await expect.poll(results, soon).toEqual(['a.out'])
  },
)

testFull(
  'a rule for a folder above the data folder leaves that alone, also if its path is a link',
  async () => {
    const data = join(place, 'in', 'data')
    await mkdir(data)
    await symlink(data, join(place, 'home'))
    await writeFile(join(data, 'own.jpg'), 'fine')
    const app = await open(join(place, 'home'))
    await app.post('/app/watch', { ...given(), recursive: true, original: 'recycle' })
    await put('a.jpg', 'fine')
    await expect.poll(() => readdir(join(place, 'in')), soon).toEqual(['data'])
    await sleep(300)
    expect(await app.first()).toMatchObject({ done: 1, failed: [], writing: 0 })
    expect([await results(), await readFile(join(data, 'own.jpg'), 'utf8')]).toEqual([['a.out'], 'fine'])
  },
)

testFull('a folder that is gone is reported, and watched again when it is back', async () => {
  const lines: { level: number; msg: string; err?: unknown }[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(JSON.parse(line)) })
  const app = await open(join(place, 'home'), { log })
  await app.post('/app/watch', given())
  await rename(join(place, 'in'), join(place, 'away'))
  await expect.poll(async () => (await app.first()).problem, soon).toContain('cannot be used')
  await rename(join(place, 'away'), join(place, 'in'))
  await put('a.jpg', 'fine')
  await expect.poll(results, soon).toEqual(['a.out'])
  expect((await app.first()).problem).toBeNull()
  // It is a state: one line, and no error with its stack.
  expect(lines.map(({ msg, err }) => [msg, err])).toEqual([
    [expect.stringContaining('cannot be used'), undefined],
  ])
})

test('rules that would convert their own results, or folders that cannot be used, are refused', async () => {
  const home = join(place, 'home')
  const app = await open(home)
  await symlink(join(place, 'in'), join(place, 'door'))
  await mkdir(join(place, 'in', 'deep'))
  const refused = async (change: object) => {
    const answer = await app.post('/app/watch', { ...given(), ...change })
    expect(answer.status, JSON.stringify(change)).toBe(400)
    return (await json<{ detail: string }>(answer)).detail
  }
  expect(await refused({ out: join(place, 'in') })).toContain('would fall into the watched folder')
  expect(await refused({ out: join(place, 'door') })).toContain('would fall into')
  expect(await refused({ moveTo: join(place, 'in', 'deep'), recursive: true })).toContain('would fall into')
  expect(await refused({ folder: 'in' })).toContain('absolute path')
  expect(await refused({ folder: '//server/share' })).toContain('absolute path')
  expect(await refused({ folder: join(place, 'none') })).toContain('no such folder')
  expect(await refused({ out: join(place, 'none') })).toContain('no such folder')
  expect(await refused({ folder: home })).toContain('own data')
  await refused({ target: 'nonsense' })
  await refused({ moveTo: join(place, 'originals'), original: 'recycle' })
  await app.post('/app/watch', given())
  expect(await refused({})).toContain('already a rule')
  // A key is not a session: only the page may name folders.
  expect((await app.service.call('/app/watch')).status).toBe(401)
})
