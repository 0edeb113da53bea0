import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../testing/app.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { json, testService } from '../../testing/service.ts'
import { makePrivate } from './private-folder.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-private-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777

/** Paths below a folder that users other than the owner can access. */
async function open(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => !entry.isSocket()).map(entry => join(entry.parentPath, entry.name))
  const modes = await Promise.all([folder, ...paths].map(async path => [path, await modeOf(path)] as const))
  return modes.flatMap(([path, mode]) => (mode & 0o077 ? [path] : []))
}

test.skipIf(process.platform === 'win32')(
  'whatever the data folder was before, it and everything of jobs in it is the owner’s alone',
  async () => {
    const home = await newFolder()
    await mkdir(join(home, 'blobs', 'files', 'x'), { recursive: true, mode: 0o777 })
    await writeFile(join(home, 'blobs', 'files', 'x', 'content'), 'secret')
    await writeFile(join(home, 'refile.sqlite'), '')
    for (const path of [
      '',
      'blobs',
      'blobs/files',
      'blobs/files/x',
      'blobs/files/x/content',
      'refile.sqlite',
    ]) {
      await chmod(join(home, path), 0o777)
    }
    const former = process.umask(0)
    onTestFinished(() => void process.umask(former))
    const service = await testService({ ...misbehaving, home })
    expect(await open(home)).toEqual([])

    const { id } = await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))
    await service.finished(id)
    const app = await openApp(service)
    await app.drop('b.jpg', 'fine')
    const running = await json<{ id: string }>(service.submit('c.jpg', 'sleep', 'webp'))
    await expect
      .poll(async () => (await json(service.call(`/convert/job/${running.id}`))).status)
      .toBe('Running')
    expect(await service.filesLeft()).not.toEqual([])
    expect(await open(home)).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')("files that are not Refile's are left as they are", async () => {
  const home = await newFolder()
  const elsewhere = await newFolder()
  await chmod(elsewhere, 0o755)
  await writeFile(join(home, 'program'), '')
  await chmod(join(home, 'program'), 0o755)
  await symlink(elsewhere, join(home, 'models'))
  await makePrivate(home, () => {})
  expect(await modeOf(join(home, 'program'))).toBe(0o755)
  expect(await modeOf(elsewhere)).toBe(0o755)
  expect(await modeOf(home)).toBe(0o700)
})

test.skipIf(process.platform === 'win32')('a folder that is public by design stays so', async () => {
  const home = await newFolder()
  await chmod(home, 0o1777)
  await makePrivate(home, () => {})
  expect(await modeOf(home)).toBe(0o1777)
})

test.runIf(process.platform === 'linux')(
  'a data folder that cannot be made is refused, not tried for ever',
  async () => {
    await expect(makePrivate('/proc/refile/data', () => {})).rejects.toThrow('ENOENT')
  },
)
