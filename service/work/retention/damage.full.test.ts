import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { onSharedStores } from '../../../testing/shared-stores.ts'

// PostgreSQL looks after its own files.
test.skipIf(onSharedStores())(
  'the start after a damage deletes nothing that the older database does not know, and says so in the app',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'refile-damaged-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const path = join(home, 'refile.sqlite')
    const first = await testService({ ...misbehaving, home })
    const { id } = await json<{ id: string }>(first.submit('a.jpg', 'fine', 'webp'))
    await first.finished(id)
    const page = await openApp(first)
    const [file = ''] = await page.stage([['b.jpg', 'staged']])
    expect(await json(page.call('/app/session'))).toMatchObject({ notice: null })
    await first.close()
    const old = await readdir(join(home, 'blobs', 'jobs'))
    expect(old).toEqual([id])
    // The power was cut, and no backup is as new as these.
    await mkdir(join(home, 'backups'), { recursive: true })
    await writeFile(path, '')

    const second = await testService({ ...misbehaving, home })
    const [date = ''] = await readdir(join(home, 'blobs', 'set-aside'))
    const aside = await readdir(join(home, 'blobs', 'set-aside', date), { recursive: true })
    expect(aside).toEqual(expect.arrayContaining([`jobs/${id}/output-1`, `files/${file}/content`]))
    const again = await openApp(second)
    const { notice } = await json<{ notice: string }>(again.call('/app/session'))
    expect(notice).toMatch(/The old one is kept in the data folder as refile\.sqlite\.damaged-/)
    expect((await again.call('/app/notice/dismiss', { method: 'POST' })).status).toBe(204)
    expect(await json(again.call('/app/session'))).toMatchObject({ notice: null })
    await second.close()

    // Later starts sweep as ever, and keep what was set aside.
    const third = await testService({ ...misbehaving, home })
    expect(await json((await openApp(third)).call('/app/session'))).toMatchObject({ notice: null })
    expect(await readdir(join(home, 'blobs', 'set-aside', date, 'jobs'))).toEqual([id])
    await third.services.stores.blobs.remove('set-aside')
  },
)
