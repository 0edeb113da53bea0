import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { canMount, smallDisk } from '../../../testing/disk.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { StagedFile } from './types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-own-'))
  return () => rm(folder, { recursive: true, force: true })
})

const write = async (name: string, content = 'fine') => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function start() {
  const service = await testService({ ...misbehaving, slots: 1 })
  const app = await openApp(service)
  const add = (path: string, relativePath?: string) => app.post('/app/files', { path, relativePath })
  const refusal = async (path: string) => (await json(add(path))).error
  const convert = (fileId: string) => app.convert(fileId, 'webp')
  return { service, app, add, refusal, convert }
}

test('a file of this machine is converted in place, and is not changed', async () => {
  const { service, app, add, convert } = await start()
  const path = await write('photo.jpg')
  const answer = await add(path)
  expect(answer.status).toBe(201)
  const file = await json<StagedFile>(answer)
  expect(file).toMatchObject({ name: 'photo.jpg', bytes: 4, format: 'jpg' })
  expect(file.targets.map(({ target }) => target)).toContain('webp')
  expect(await app.waiting()).toEqual([{ ...file, targets: 0 }])
  const { id } = await convert(file.id)
  expect(await app.finished(id)).toMatchObject({ status: 'Succeeded', output: { fileName: 'photo.out' } })
  expect(await app.call(`/convert/job/${id}/download`).then(answer => answer.text())).toMatch(/^fine/)
  expect(await readFile(path, 'utf8')).toBe('fine')
  await app.post('/app/files/remove', { ids: [file.id] })
  expect((await stat(path)).size).toBe(4)
  expect((await service.filesLeft()).length).toBe(1)
})

testFull('what is chosen for files is there for every window, and the others are told', async () => {
  const { service, app, add } = await start()
  const heard: unknown[] = []
  service.services.stores.events.subscribe(event => event.type === 'waiting' && heard.push(event))
  const { id } = await json<StagedFile>(add(await write('photo.jpg')))
  const nothing = { choices: {}, following: null }
  expect(await json(app.call('/app/files/choices'))).toEqual(nothing)
  const chosen = { choices: { [id]: { target: 'webp', options: { quality: 40 } } }, following: 'web' }
  const put = (window: string, body: object) =>
    app.call('/app/files/choices', {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-service-window': window },
    })
  expect((await put('one', { choices: {} })).status).toBe(400)
  expect((await put('two', chosen)).status).toBe(204)
  expect(await json(app.call('/app/files/choices'))).toEqual(chosen)
  // Two windows change two rows at once, and neither undoes the other; what is of no file is of nobody.
  const { id: other } = await json<StagedFile>(add(await write('other.jpg')))
  const png = { target: 'png', options: {} }
  await put('one', { choices: { [other]: png, gone: png }, following: null })
  await put('two', { choices: { [id]: null }, following: null })
  expect(await json(app.call('/app/files/choices'))).toEqual({ choices: { [other]: png }, following: null })
  await app.post('/app/files/remove', { ids: [id] })
  const { id: accountId } = await service.services.accounts.owner()
  const said = (window: string) => ({ type: 'waiting', accountId, window })
  await expect
    .poll(() => heard)
    .toEqual([said(''), said('two'), said(''), said('one'), said('two'), said('')])
})

testFull(
  'the path inside a dropped folder is kept, for files by path and for uploads, and leads nowhere else',
  async () => {
    const { service, app, add } = await start()
    const owner = await service.services.accounts.owner()
    const stagedPath = async (answer: Promise<Response>) => {
      const { id } = await json<StagedFile>(answer)
      return (await service.services.files.use(id, owner.id))?.relativePath
    }
    const path = await write('a.jpg')
    expect(await stagedPath(add(path, 'holiday/day 1/a.jpg'))).toBe('holiday/day 1/a.jpg')
    expect(await stagedPath(add(path, '../../etc/./cron.d/a.jpg'))).toBe('etc/cron.d/a.jpg')
    expect(await stagedPath(add(path, '/a.jpg'))).toBeNull()
    expect(await stagedPath(add(path))).toBeNull()
    expect(await stagedPath(app.drop('b.jpg', 'fine', 'holiday\\b.jpg'))).toBe('holiday/b.jpg')
    expect(await stagedPath(app.drop('b.jpg', 'fine'))).toBeNull()
  },
)

testFull('a link is resolved once, to a file', async () => {
  const { app, add, refusal, convert } = await start()
  await write('target.jpg')
  await symlink('target.jpg', join(folder, 'link.png'))
  const file = await json<StagedFile>(add(join(folder, 'link.png')))
  expect(file).toMatchObject({ name: 'link.png', bytes: 4 })
  await symlink('nowhere', join(folder, 'broken.jpg'))
  expect(await refusal(join(folder, 'broken.jpg'))).toBe('request.no_files')
  // Wherever the link leads later, the file is the one that was added.
  await rm(join(folder, 'link.png'))
  await symlink('/etc/passwd', join(folder, 'link.png'))
  const job = await convert(file.id)
  expect((await app.finished(job.id))?.status).toBe('Succeeded')
})

test('folders, pipes, devices, and files that are empty, too large or missing are refused at once', async () => {
  const { service, refusal } = await start()
  await mkdir(join(folder, 'a.jpg'))
  expect(await refusal(join(folder, 'a.jpg'))).toBe('request.invalid_parameter')
  execFileSync('mkfifo', [join(folder, 'pipe.jpg')])
  expect(await refusal(join(folder, 'pipe.jpg'))).toBe('request.invalid_parameter')
  expect(await refusal('/dev/zero')).toBe('request.invalid_parameter')
  expect(await refusal(await write('empty.jpg', ''))).toBe('request.empty_file')
  expect(await refusal(join(folder, 'nothing.jpg'))).toBe('request.no_files')
  expect(await refusal('photo.jpg')).toBe('request.invalid_parameter')
  expect(await refusal(`${folder}/a\0.jpg`)).toBe('request.invalid_parameter')
  expect(await refusal('')).toBe('request.invalid_parameter')
  const small = await testService({ ...misbehaving, maxFileBytes: 3 })
  const app = await openApp(small)
  const tooLarge = await app.post('/app/files', { path: await write('large.jpg') })
  expect([tooLarge.status, (await json(tooLarge)).error]).toEqual([413, 'request.file_too_large'])
  expect(await service.filesLeft()).toEqual([])
})

test('files of the data folder are not accessible, not even through a link', async () => {
  const { service, refusal } = await start()
  expect(await refusal(join(service.home, 'refile.sqlite'))).toBe('request.invalid_parameter')
  await symlink(service.home, join(folder, 'home'))
  expect(await refusal(join(folder, 'home', 'refile.sqlite'))).toBe('request.invalid_parameter')
  expect(await refusal(join(folder, '..', 'nothing'))).toBe('request.no_files')
})

if (canMount)
  testFull(
    'a file that has changed or gone by the time it is converted fails with a clear message',
    async () => {
      // It shares no bytes with the data folder, so that files are read in place.
      const disk = await smallDisk(1)
      const writeThere = async (name: string) => {
        await writeFile(join(disk, name), 'fine')
        return join(disk, name)
      }
      const { service, app, add, convert } = await start()
      const blocking = await json<StagedFile>(app.drop('a.jpg', 'sleep'))
      const { id: blockingJob } = await convert(blocking.id)
      const jobs: string[] = []
      for (const name of ['changed.jpg', 'gone.jpg']) {
        const { id } = await json<StagedFile>(add(await writeThere(name)))
        jobs.push((await convert(id)).id)
      }
      const late = await json<StagedFile>(add(await writeThere('late.jpg')))
      await appendFile(join(disk, 'changed.jpg'), ' and more')
      await rm(join(disk, 'gone.jpg'))
      await rm(join(disk, 'late.jpg'))
      expect((await app.convertItem(late.id, 'webp')).error).toEqual({
        code: 'request.no_files',
        detail: '"late.jpg" was changed, moved or deleted. Add it again.',
      })
      await app.post(`/convert/job/${blockingJob}/cancel`, {})
      for (const id of jobs) {
        expect(await app.finished(id)).toMatchObject({
          status: 'Failed',
          error: {
            code: 'jobs.corrupt_input',
            detail: 'The file was changed, moved or deleted after it was added. Add it again.',
          },
        })
      }
      expect(await service.balance()).toBe(500)
    },
  )

testFull(
  'a file is added once more with content of its own, and becomes something else as well',
  async () => {
    const { service, app, add, convert } = await start()
    const dropped = await json<StagedFile>(app.drop('b.jpg', 'fine', 'trip/b.jpg'))
    const local = await json<StagedFile>(add(await write('photo.jpg')))
    const ids = [local.id, dropped.id]
    const answer = await app.post('/app/files/repeat', { ids })
    expect(answer.status).toBe(201)
    const repeated = await json<StagedFile[]>(answer)
    // Nothing but the id differs.
    expect(repeated.map(({ id: _, ...file }) => file)).toEqual(
      [local, dropped].map(({ id: _, ...file }) => file),
    )
    expect(new Set([...repeated.map(({ id }) => id), ...ids]).size).toBe(4)
    expect((await app.post('/app/files/remove', { ids })).status).toBe(204)
    for (const { id } of repeated) {
      const { id: job } = await convert(id)
      await expect.poll(async () => (await service.services.stores.jobs.get(job))?.status).toBe('Succeeded')
    }
    expect((await app.post('/app/files/repeat', { ids: [repeated[0]!.id, 'gone'] })).status).toBe(400)
  },
)
