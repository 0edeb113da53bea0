import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import type { DrawnPage, ReadLine } from './model.ts'
import { Readers } from './readers.ts'

const files = testFiles('readers')
/** Upright and sideways. */
const pages: DrawnPage[] = []

beforeAll(async () => {
  const text = `#set page(width: 300pt, height: 120pt, margin: 20pt)\n#lorem(40)`
  const picture = files.path('page')
  tool('pdftoppm', '-gray', '-r', '200', '-singlefile', '-png', files.write(typeset(text), 'pdf'), picture)
  for (const turn of [0, 90]) {
    const grey = sharp(`${picture}.png`).rotate(turn).toColourspace('b-w').raw()
    const { data, info } = await grey.toBuffer({ resolveWithObject: true })
    pages.push({ data, width: info.width, height: info.height, channels: 1, dpi: 200 })
  }
})

/** What is read when `PATH` has only what a folder holds; the real program with none. */
async function readWith(program?: string): Promise<ReadLine[]> {
  const folder = mkdtempSync(files.path('folder-'))
  if (program !== undefined) {
    writeFileSync(join(folder, 'tesseract'), program)
    chmodSync(join(folder, 'tesseract'), 0o755)
    vi.stubEnv('PATH', folder)
  }
  await using readers = new Readers('eng', { cores: 1, folder })
  const lines = (await Promise.all(pages.map(page => readers.read(page)))).flat()
  vi.unstubAllEnvs()
  return lines
}

const rounded = (lines: ReadLine[]) =>
  lines.map(({ words, baseline, height, level }) => ({
    ...{ level, baseline: Math.round(baseline), height: Math.round(height) },
    words: words.map(({ confidence, ...word }) => ({ ...word, isSure: confidence > 0.75 })),
  }))

test('the installed program and our own read the same, and what fails is read by our own', async () => {
  const own = await readWith('#!/bin/sh\nexit 1\n')
  expect(own.flatMap(({ words }) => words).length).toBeGreaterThan(70)
  const installed = await readWith()
  expect(rounded(installed)).toEqual(rounded(own))
  const one = `<html><body><span class="ocr_line" title="bbox 9 9 90 30; baseline 0 -5; x_size 20">
    <span class="ocrx_word" title="bbox 10 10 60 25; x_wconf 90">only &amp; here</span></span></body></html>`
  const [line] = await readWith(`#!/bin/sh\necho '${one}'\n`)
  expect(line?.words[0]?.text).toBe('only & here')
  expect(await readWith('#!/bin/sh\necho "<html><body><p>"\n')).toEqual(own)
})
