import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { StagedFile } from '../app/types.ts'
import { archiveOf } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Names and contents as read by Info-ZIP. */
function unzip(bytes: Uint8Array): Record<string, string> {
  const path = join(folder, 'archive.zip')
  writeFileSync(path, bytes)
  execFileSync('unzip', ['-tqq', path])
  const names = execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n')
  const read = (name: string) => execFileSync('unzip', ['-p', path, name], { encoding: 'utf8' })
  return Object.fromEntries(names.map(name => [name, read(name)]))
}

const member = (name: string, content: string | undefined) => ({
  name,
  open: async () => (content === undefined ? undefined : Readable.from([Buffer.from(content)])),
})

test('a member that has gone when its turn comes is left out and listed', async () => {
  const archive = archiveOf([member('a.txt', 'one'), member('b.txt', undefined), member('a.txt', 'two')])
  const members = unzip(await buffer(archive))
  expect(Object.values(members).toSorted()).toEqual(['b.txt\n', 'one', 'two'])
  expect(Object.keys(members)).toContain('_not included.txt')
})

test('a member that cannot be read to its end aborts the archive', async () => {
  const broken = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(10)
        throw new Error('unreadable')
      })(),
    )
  await expect(buffer(archiveOf([{ name: 'a', open: async () => broken() }]))).rejects.toThrow('unreadable')
})

test('a client that disconnects midway leaves nothing open', async () => {
  let closed = false
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
    destroy(error, done) {
      closed = true
      done(error)
    },
  })
  const archive = archiveOf([{ name: 'endless', open: async () => endless }])
  archive.once('data', () => archive.destroy())
  await expect.poll(() => closed).toBe(true)
})

testFull('deleting jobs while their results are being zipped does not stop the service', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const ids: string[] = []
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
    const { id: fileId } = await json<StagedFile>(await app.drop(name, 'fine'))
    const { id } = await app.convert(fileId, 'webp')
    await app.finished(id)
    ids.push(id)
  }
  const { jobs } = service.services
  const open = jobs.openOutput.bind(jobs)
  // Deleted between the check that it exists and its turn in the archive.
  jobs.openOutput = async job => {
    if (job.id === ids[1]) await jobs.remove(job.id, job.accountId)
    return open(job)
  }
  const answer = await app.call(`/app/download?ids=${ids.join(',')}`)
  expect(Object.keys(unzip(new Uint8Array(await answer.arrayBuffer())))).toHaveLength(3)
  expect((await app.call('/app/session')).status).toBe(200)
})
