import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveAs, saveInto } from './save.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refile-save-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const content = (text: string) => new Blob([text]).stream()

/** Content that breaks off after its first piece, as when the service goes away. */
function broken(): ReadableStream<Uint8Array> {
  let pieces = 0
  return new ReadableStream({
    pull(controller) {
      if (pieces++ === 0) controller.enqueue(Buffer.from('half'))
      else controller.error(new TypeError('terminated'))
    },
  })
}

describe('saveAs', () => {
  test('overwrites an existing file', async () => {
    const path = join(folder, 'a.txt')
    writeFileSync(path, 'old')
    await saveAs(path, content('new'))
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  test('keeps the existing file if the content breaks off', async () => {
    const path = join(folder, 'a.txt')
    writeFileSync(path, 'old')
    await expect(saveAs(path, broken())).rejects.toThrow()
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  test('reports that the folder is gone', async () => {
    await expect(saveAs(join(folder, 'gone', 'a.txt'), content('x'))).rejects.toMatchObject({
      name: 'ShellProblem',
      message: expect.stringContaining('folder is gone'),
    })
  })
})

describe('saveInto', () => {
  test('overwrites nothing', async () => {
    writeFileSync(join(folder, 'a.txt'), 'mine')
    const saved = [
      await saveInto(folder, 'a.txt', content('1')),
      await saveInto(folder, 'a.txt', content('2')),
    ]
    expect(saved.map(path => basename(path))).toEqual(['a (2).txt', 'a (3).txt'])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine')
    expect(saved.map(path => readFileSync(path, 'utf8'))).toEqual(['1', '2'])
  })

  test('many at once never share a name', async () => {
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, i) => saveInto(folder, 'a', content(`${i}`))),
    )
    expect(new Set(saved).size).toBe(20)
    expect(saved.map(path => readFileSync(path, 'utf8'))).toEqual(saved.map((_, i) => `${i}`))
  })

  test('stays inside the folder', async () => {
    const path = await saveInto(folder, '../../outside.txt', content('x'))
    expect(path).toBe(join(folder, 'outside.txt'))
  })

  test('handles invalid and very long names', async () => {
    expect(basename(await saveInto(folder, 'CON', content('x')))).toBe('_CON')
    expect(basename(await saveInto(folder, '/', content('x')))).toBe('output')
    const long = `${'é'.repeat(500)}.tar.gz`
    const [first, second] = [
      await saveInto(folder, long, content('1')),
      await saveInto(folder, long, content('2')),
    ]
    expect(basename(first)).toMatch(/^é+\.gz$/)
    expect(basename(second)).toMatch(/^é+ \(2\)\.gz$/)
    expect(readFileSync(second, 'utf8')).toBe('2')
  })

  test('leaves nothing behind if the content breaks off', async () => {
    await expect(saveInto(folder, 'a.txt', broken())).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
  })
})
