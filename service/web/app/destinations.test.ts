import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { DestinationCheck, Folders, SaveTo, StagedFile } from './types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-places-'))
  return () => rm(folder, { recursive: true, force: true })
})

const saveTo = (change: Partial<SaveTo> = {}): SaveTo => ({
  kind: 'folder',
  folder,
  name: '',
  keepFolders: true,
  keepDates: false,
  taken: 'number',
  ...change,
})

async function start() {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const check = (body: object) => json<DestinationCheck>(app.post('/app/destinations/check', body))
  return { service, app, check }
}

test('what stays of metadata is remembered', async () => {
  const { app } = await start()
  const put = (keep: string) =>
    app.call('/app/settings/metadata', {
      method: 'PUT',
      body: JSON.stringify({ keep }),
      headers: { 'content-type': 'application/json' },
    })
  const remembered = async () => (await json<{ metadata: string | null }>(app.call('/app/settings'))).metadata
  expect(await remembered()).toBeNull()
  expect((await put('all')).status).toBe(200)
  expect(await remembered()).toBe('all')
  expect((await put('some')).status).toBe(400)
})

test('a valid choice is remembered', async () => {
  const { app } = await start()
  const put = (body: object) =>
    app.call('/app/settings/destination', {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const remembered = async () =>
    (await json<{ destination: SaveTo | null }>(app.call('/app/settings'))).destination
  expect(await remembered()).toBeNull()
  const choice = saveTo({ name: '{name}', keepDates: true, taken: 'ask' })
  expect((await put(choice)).status).toBe(200)
  expect(await remembered()).toEqual(choice)
  expect((await put({ ...choice, kind: 'elsewhere' })).status).toBe(400)
  expect((await put({ kind: 'keep' })).status).toBe(400)
  expect(await remembered()).toEqual(choice)
})

describe('the name of a result', () => {
  testFull('is shown for a file and its target, for every destination', async () => {
    const { app, check } = await start()
    await writeFile(join(folder, 'Ärger.jpg'), 'fine')
    const local = await json<StagedFile>(app.post('/app/files', { path: join(folder, 'Ärger.jpg') }))
    const dropped = await json<StagedFile>(app.drop('b.jpg', 'fine', 'trip/b.jpg'))
    const of = async (choice: Partial<SaveTo>, fileId = local.id, target = 'webp') => {
      const { example, problem } = await check({
        saveTo: saveTo(choice),
        example: { fileId, target },
        preset: 'Web',
      })
      return problem ?? example
    }
    expect(await of({})).toBe(join(folder, 'Ärger.webp'))
    expect(await of({ kind: 'keep' })).toBe('Ärger.webp')
    expect(await of({ kind: 'ask', name: '{name} {preset}' })).toBe('Ärger Web.webp')
    expect(await of({ kind: 'beside', name: '{name}-{width}' })).toBe(join(folder, 'Ärger-1920.webp'))
    expect(await of({ kind: 'beside', name: '{name}' }, local.id, 'jpg')).toBe(join(folder, 'Ärger (2).jpg'))
    expect(await of({}, dropped.id)).toBe(join(folder, 'trip', 'b.webp'))
    expect(await of({ keepFolders: false }, dropped.id)).toBe(join(folder, 'b.webp'))
    expect(await of({ kind: 'beside' }, dropped.id)).toContain('original folder of b.jpg is unknown')
    expect((await check({ saveTo: saveTo() })).example).toBe(join(folder, 'photo.webp'))
  })

  test('or what is wrong with the choice', async () => {
    const { service, check } = await start()
    const problem = async (choice: Partial<SaveTo>) => (await check({ saveTo: saveTo(choice) })).problem
    expect(await problem({ name: '{nane}' })).toContain('"nane" is not a placeholder')
    expect(await problem({ kind: 'ask', name: 'a/b' })).toContain('slash')
    expect(await problem({ folder: join(folder, 'gone') })).toContain('no such folder')
    expect(await problem({ folder: 'relative' })).toContain('absolute')
    expect(await problem({ folder: service.home })).toContain('own data')
    expect(await problem({})).toBeNull()
  })
})

test('folders of this machine are only listed for the page, without hidden ones and files', async () => {
  const { service, app } = await start()
  for (const name of ['b10', 'b9', '.hidden']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'file'), '')
  const at = (path: string) => app.call(`/app/folders?path=${encodeURIComponent(path)}`)
  expect(await json<Folders>(at(folder))).toEqual({
    path: folder,
    parent: tmpdir(),
    folders: ['b9', 'b10'].map(name => ({ name, path: join(folder, name) })),
  })
  expect((await json<Folders>(at('/'))).parent).toBeNull()
  expect((await app.call('/app/folders')).status).toBe(200)
  for (const path of [
    'relative',
    join(folder, 'file'),
    join(folder, 'gone'),
    '//server/share',
    `${folder}\0`,
  ])
    expect([path, (await at(path)).status]).toEqual([path, 400])
  expect((await service.call('/app/folders')).status).toBe(401)
})

test('a folder is created for the page alone, and only with a name that every disk takes', async () => {
  const { service, app } = await start()
  const create = (name: string, path = folder) => app.post('/app/folders', { path, name })
  const holidays = { path: join(folder, 'Holidays 2026'), parent: folder, folders: [] }
  expect(await json<Folders>(create('Holidays 2026'))).toEqual(holidays)
  expect((await stat(holidays.path)).isDirectory()).toBe(true)
  // It is opened if it is there already.
  expect(await json<Folders>(create('Holidays 2026'))).toEqual(holidays)
  for (const name of ['..', '../up', 'a/b', '.hidden', 'con', ' edge', '', 'a\0b'])
    expect([name, (await create(name)).status]).toEqual([name, 400])
  for (const path of ['relative', join(folder, 'gone'), '//server/share'])
    expect([path, (await create('new', path)).status]).toEqual([path, 400])
  expect((await create('new', '/proc')).status).toBe(400)
  const body = JSON.stringify({ path: folder, name: 'stranger' })
  const headers = { 'content-type': 'application/json' }
  expect((await service.call('/app/folders', { method: 'POST', body, headers })).status).toBe(401)
  expect(await readdir(folder)).toEqual(['Holidays 2026'])
})
