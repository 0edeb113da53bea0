import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Looker } from './looking.ts'

test('a file that is renamed by case alone is gone by its old name, also on a disk that ignores case', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'refile-looking-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'a.jpg'), 'fine')
  let report = () => {}
  const reported = new Promise<void>(resolve => {
    report = resolve
  })
  const conversion = { pattern: '*', target: 'webp', options: {}, recursive: false }
  const rule = { folder, out: folder, moveTo: null, ...conversion }
  // Only what the system reports is looked at a second time.
  const found: string[] = []
  using looker = new Looker({
    ...{ rule, home: '/none', intervalMs: 600_000, onReport: () => report() },
    onChanged: ({ file }) => found.push(file),
    onGone: file => found.push(`no ${file}`),
  })
  const look = () => looker.look()
  await look()
  await rename(join(folder, 'a.jpg'), join(folder, 'A.jpg'))
  await reported
  const lookAgain = async () => {
    await look()
    return found.toSorted()
  }
  await expect.poll(lookAgain).toEqual(['A.jpg', 'a.jpg', 'no a.jpg'])
})

let afterListing = async () => {}

test('what comes just after a folder was listed is noticed', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'refile-looking-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  afterListing = async () => {
    afterListing = async () => {}
    await writeFile(join(folder, 'a.jpg'), 'fine')
  }
  const conversion = { pattern: '*', target: 'webp', options: {}, recursive: false }
  const rule = { folder, out: folder, moveTo: null, ...conversion }
  const found: string[] = []
  const onChanged = ({ file }: { file: string }) => void found.push(file)
  const parts = { rule, home: '/none', intervalMs: 600_000, onReport() {}, onGone() {}, onChanged }
  using looker = new Looker(parts)
  await looker.look()
  await expect.poll(() => looker.look().then(() => found)).toEqual(['a.jpg'])
})

vi.mock('node:fs/promises', async importActual => {
  const files = await importActual<typeof import('node:fs/promises')>()
  const { ignoringCase } = await import('../../testing/ignoring-case.ts')
  const { lstat, realpath, stat } = ignoringCase(files)
  const readdir = async (...given: [string]) => {
    const entries = await files.readdir(...given)
    await afterListing()
    return entries
  }
  return { ...files, lstat, readdir, realpath, stat }
})
