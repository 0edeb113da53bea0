import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { canMount, smallDisk } from '../../../testing/disk.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { folderOf, json, testService } from '../../../testing/service.ts'
import { contentsOf } from '../../../testing/shared-stores.ts'

const MB = 2 ** 20

if (canMount)
  testFull('an upload that fills the disk is refused, charges nothing and leaves nothing', async () => {
    const service = await testService({ ...misbehaving, home: await smallDisk(16) })
    const response = await service.submit('large.jpg', new Uint8Array(32 * MB), 'webp')
    expect(response.status).toBe(507)
    expect((await json(response)).error).toBe('server.disk_full')
    await expect.poll(() => service.filesLeft()).toEqual([])
    expect(await service.balance()).toBe(500)
    // The service goes on.
    const { id } = await json<{ id: string }>(service.submit('small.jpg', 'fine', 'webp'))
    expect((await service.finished(id)).status).toBe('Succeeded')
  })

test.runIf(canMount)('a job that fills the disk fails with its own code and frees the space', async () => {
  const service = await testService({ ...misbehaving, home: await smallDisk(16) })
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'disk-really-full', 'webp'))
  expect(await service.finished(id)).toMatchObject({ status: 'Failed', error: { code: 'jobs.disk_full' } })
  await expect.poll(() => service.filesLeft()).toEqual([])
  expect(await service.balance()).toBe(500)
})

if (canMount)
  testFull(
    'a disk too full for the database delays the end of a job, but loses neither it nor its credits',
    async () => {
      const home = await smallDisk(16)
      const service = await testService({ ...misbehaving, home })
      const { id } = await json<{ id: string }>(service.submit('a.jpg', 'throw 800', 'webp'))
      await expect.poll(async () => (await json(service.call(`/convert/job/${id}`))).status).toBe('Running')
      const filler = join(home, 'filler')
      await writeFile(filler, new Uint8Array(64 * MB)).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 1600))
      await rm(filler)
      expect(await service.finished(id)).toMatchObject({
        status: 'Failed',
        error: { code: 'jobs.engine_crashed' },
      })
      expect(await service.balance()).toBe(500)
      await expect.poll(() => readdir(join(home, 'scratch'))).toEqual([])
    },
  )

if (canMount)
  testFull('a full disk refuses no key and no session', async () => {
    const home = await smallDisk(16)
    const service = await testService({ ...misbehaving, home })
    const app = await openApp(service)
    const filler = join(home, 'filler')
    await writeFile(filler, new Uint8Array(64 * MB)).catch(() => {})
    const soon = Date.now() + 2 * 3600_000
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => soon)
    onTestFinished(() => clock.mockRestore())
    // When it was last used has to be written: for the first time, and after a while.
    expect((await service.call('/convert/entitlements/me')).status).toBe(200)
    expect((await app.call('/app/session')).status).toBe(200)
    await rm(filler)
  })

if (canMount)
  testFull(
    'a job whose folder cannot be removed ends normally, and the folder is removed later',
    async () => {
      const service = await testService({ ...misbehaving, retentionSeconds: 2 })
      const { id } = await json<{ id: string }>(service.submit('a.jpg', 'throw 1500', 'webp'))
      await expect.poll(async () => (await json(service.call(`/convert/job/${id}`))).status).toBe('Running')
      await expect.poll(() => folderOf(service.home, id)).toContain('workers')
      // A folder on which something is mounted cannot be deleted, not even by root.
      const mounted = join(await folderOf(service.home, id), 'mounted')
      await mkdir(mounted)
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', mounted])
      try {
        expect(await service.finished(id)).toMatchObject({
          status: 'Failed',
          error: { code: 'jobs.engine_crashed' },
        })
        expect(await service.balance()).toBe(500)
        await expect.poll(() => contentsOf(service.home)).toEqual([])
        expect(await readdir(join(service.home, 'scratch'))).toEqual([id])
      } finally {
        // It moved with the folder of the job.
        execFileSync('umount', ['-l', join(service.home, 'scratch', id, 'mounted')])
      }
      await expect.poll(() => readdir(join(service.home, 'scratch'))).toEqual([])
    },
  )
