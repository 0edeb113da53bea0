import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { renameResult } from '../../work/batches/renaming.ts'
import type { AppJob, StagedFile } from './types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-renaming-'))
  return () => rm(folder, { recursive: true, force: true })
})

/** A result in the folder, or one that is kept. */
async function converted(kind: 'folder' | 'keep') {
  const app = await openApp(await testService(misbehaving))
  const { id } = await json<StagedFile>(app.drop('a.jpg', 'fine'))
  const destination = kind === 'folder' ? { kind, path: folder } : { kind }
  await app.post('/app/batches', { fileIds: [id], targetFormat: 'webp', destination })
  const job = async () => (await json<{ items: AppJob[] }>(app.call('/app/jobs'))).items[0]!
  await expect
    .poll(job, { timeout: 20_000 })
    .toMatchObject({ status: 'Succeeded', savedTo: kind === 'keep' ? null : expect.any(String) })
  const rename = async (name: string) =>
    app.call(`/app/jobs/${(await job()).id}`, {
      method: 'PATCH',
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json' },
    })
  return { app, job, rename }
}

test('a saved result gets its name on the disk, with its suffix, and replaces nothing', async () => {
  const { job, rename } = await converted('folder')
  await mkdir(join(folder, 'folder.out'))
  await writeFile(join(folder, 'taken.out'), 'mine')
  expect(await json<AppJob>(rename('b'))).toMatchObject({
    ...{ savedTo: join(folder, 'b.out'), output: { fileName: 'b.out' } },
  })
  for (const name of ['taken', 'folder']) {
    const answer = await rename(name)
    expect(answer.status).toBe(400)
    expect((await json<{ detail: string }>(answer)).detail).toContain(`${name}.out`)
  }
  expect(await readFile(join(folder, 'taken.out'), 'utf8')).toBe('mine')
  // A name leads nowhere else.
  await rename('../up')
  expect(await job()).toMatchObject({ savedTo: join(folder, '_up.out') })
  expect((await readdir(folder)).toSorted()).toEqual(['_up.out', 'folder.out', 'taken.out'])
  await rm(join(folder, '_up.out'))
  expect((await rename('c')).status).toBe(410)
})

test('a crash between the disk and the store leaves the result at the path that the store has', async () => {
  const savedTo = join(folder, 'a.out')
  await writeFile(savedTo, 'result')
  const renamed: [string, string | null][] = []
  const rename = async (_: string, name: string, path: string | null) => {
    renamed.push([name, path])
    // Whichever path the store has once the computer is on again.
    for (const each of [savedTo, path!]) expect(await readFile(each, 'utf8')).toBe('result')
    throw new Error('The power has gone.')
  }
  const job = { id: 'job', output: { fileName: 'a.out', fileCount: 1 }, outputKey: null, savedTo }
  const stores = { jobs: { rename } } as unknown as Stores
  await expect(renameResult(stores, job as Job, 'b')).rejects.toThrow('The power has gone.')
  expect(renamed).toEqual([['b.out', join(folder, 'b.out')]])
})

test('a result that is kept is downloaded by its new name', async () => {
  const { app, job, rename } = await converted('keep')
  await rename('new')
  const answer = await app.call(`/convert/job/${(await job()).id}/download`)
  expect(answer.headers.get('content-disposition')).toContain('new.out')
  expect((await rename('')).status).toBe(400)
})
