import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { JobFailure } from '../../shared/errors.ts'
import { outputOf, stageInputs, unstageInput } from './own-folder.ts'

/** A data folder, a person's folder beside it, and what staging a file gives. */
async function staging() {
  const folder = await mkdtemp(join(tmpdir(), 'refile-staging-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const workers = join(folder, 'home', 'workers')
  for (const path of ['home/workers', 'home/blobs', 'person'])
    await mkdir(join(folder, path), { recursive: true })
  return {
    workers,
    at: (path: string) => join(folder, path),
    stage: async (path: string) => (await stageInputs({ path }, workers))[0]!,
  }
}

test("a worker gets a person's file as a copy, which shares nothing with it", async () => {
  const { at, stage, workers } = await staging()
  await writeFile(at('person/photo.jpg'), 'content')
  const input = await stage(at('person/photo.jpg'))
  expect(input).toMatchObject({ isInPlace: false })
  expect(await readFile(input.path, 'utf8')).toBe('content')
  const [own, given] = [await stat(at('person/photo.jpg')), await stat(input.path)]
  expect({ nlink: own.nlink, isSame: own.ino === given.ino }).toEqual({ nlink: 1, isSame: false })
  await unstageInput(input)
  expect(await readdir(workers)).toEqual([])
})

test("a person's file that is too large to copy is read in place, unless the disk clones files", async () => {
  const { at, stage, workers } = await staging()
  await writeFile(at('person/video.mp4'), '')
  await truncate(at('person/video.mp4'), 65 * 2 ** 20)
  const { path, isInPlace } = await stage(at('person/video.mp4'))
  expect((await stat(at('person/video.mp4'))).nlink).toBe(1)
  if (isInPlace) expect(await readdir(workers)).toEqual([])
  else expect((await stat(path)).ino).not.toBe((await stat(at('person/video.mp4'))).ino)
})

test('a file of the data folder is linked, which copies nothing', async () => {
  const { at, stage } = await staging()
  await writeFile(at('home/blobs/input'), 'content')
  const { path } = await stage(at('home/blobs/input'))
  expect((await stat(path)).ino).toBe((await stat(at('home/blobs/input'))).ino)
})

test('a worker gives what it has made, and nothing that lies elsewhere', async () => {
  const { at, workers } = await staging()
  const [taken, folder] = [join(workers, 'task'), at('home/moved')]
  await mkdir(folder)
  for (const path of ['person/photo.jpg', 'home/moved/made']) await writeFile(at(path), 'content')
  await link(at('person/photo.jpg'), join(folder, 'same'))
  await symlink(at('person'), join(folder, 'person'), 'junction')
  const named = (path: string) => outputOf(join(taken, path), taken, folder)
  expect(named('made')).toBe(join(folder, 'made'))
  for (const path of ['', 'none', 'same', 'person', 'person/photo.jpg', '../../../person/photo.jpg'])
    expect(() => named(path), path).toThrow(JobFailure)
})
