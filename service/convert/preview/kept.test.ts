import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { TaskInput } from '../catalogue/task.ts'
import { keptSideOf } from './kept.ts'

test('what is shown of a file is kept for the next comparison, until the file changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-kept-'))
  try {
    const path = join(folder, 'a.png')
    const input = { path, name: 'a.png', stem: 'a', bytes: 1, format: 'png' } as TaskInput
    const put = (background: string) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } }).toFile(path)
    const shownAs = async (name: 'before' | 'after') => {
      const side = await keptSideOf(input, { folder, shown: folder, name })
      const file = join(folder, side?.look.kind === 'picture' ? side.look.file : '')
      const { dominant } = await sharp(await readFile(file)).stats()
      await rm(file)
      return { shown: side?.shown, dominant }
    }
    await put('#f00')
    const first = await shownAs('before')
    const again = await shownAs('before')
    expect(again.shown).toBe(first.shown)
    expect(again.dominant.r).toBeGreaterThan(200)
    await put('#00f')
    expect((await shownAs('before')).dominant.b).toBeGreaterThan(200)
    await writeFile(path, 'no picture')
    await expect(shownAs('before')).rejects.toThrow()
  } finally {
    await rm(folder, { recursive: true })
  }
})
