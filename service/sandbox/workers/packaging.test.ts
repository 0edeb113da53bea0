import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { converterOf } from '../../../testing/fixtures/convert.ts'
import { packageOutputs } from './packaging.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-packaging-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const make = async (name: string, content = name) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const listed = (path: string) => execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n')

test('one output is named after the input', async () => {
  const outputs = [{ path: await make('x.tmp', 'content') }]
  expect(await packageOutputs(converterOf('document.pdf-to-pdfa'), 'my report', outputs, folder)).toEqual({
    path: outputs[0]?.path,
    fileName: 'my report.pdf',
    contentType: 'application/pdf',
    fileCount: 1,
    bytes: 7,
  })
})

test('one output with a name of its own keeps its name and type', async () => {
  const outputs = [{ path: await make('x.tmp'), name: 'subtitles.srt' }]
  const packaged = await packageOutputs(converterOf('audio.audio-to-txt'), 'talk', outputs, folder)
  expect(packaged).toMatchObject({
    fileName: 'subtitles.srt',
    contentType: 'application/x-subrip',
    fileCount: 1,
  })
})

test('long names are shortened to what file systems accept, keeping the end', async () => {
  const stem = 'é'.repeat(125)
  const one = [{ path: await make('long.tmp') }]
  const single = await packageOutputs(converterOf('image.png-to-webp'), `${stem}x`, one, folder)
  expect(Buffer.byteLength(single.fileName)).toBeLessThanOrEqual(255)
  expect(single.fileName).toMatch(/^é+\.webp$/)
  const two = [{ path: await make('1') }, { path: await make('2') }]
  const several = await packageOutputs(converterOf('document.pdf-to-jpg'), stem, two, folder)
  expect(Buffer.byteLength(several.fileName)).toBeLessThanOrEqual(255)
  expect(several.fileName).toMatch(/^service-pdf-to-jpg-é+-2-outputs\.zip$/)
})

test('several outputs become a ZIP named as the contract says, numbered in sorting order', async () => {
  const outputs = []
  for (let page = 1; page <= 11; page++) outputs.push({ path: await make(`p${page}`, `page ${page}`) })
  const packaged = await packageOutputs(converterOf('document.pdf-to-jpg'), 'rep', outputs, folder)
  expect(packaged).toMatchObject({
    fileName: 'service-pdf-to-jpg-rep-11-outputs.zip',
    contentType: 'application/zip',
    fileCount: 11,
    bytes: (await readFile(packaged.path)).length,
  })
  expect(listed(packaged.path)).toEqual(
    outputs.map((_, index) => `rep-${String(index + 1).padStart(2, '0')}.jpg`),
  )
  expect(execFileSync('unzip', ['-p', packaged.path, 'rep-11.jpg']).toString()).toBe('page 11')
  execFileSync('unzip', ['-tq', packaged.path])
})

test('files of the same name get different names in the ZIP', async () => {
  const outputs = [
    { path: await make('a'), name: 'icon.png' },
    { path: await make('b'), name: 'ICON.png' },
    { path: await make('c'), name: 'icon.png' },
  ]
  const packaged = await packageOutputs(converterOf('image.ico-to-png'), 'icon', outputs, folder)
  expect(listed(packaged.path)).toEqual(['icon.png', 'ICON (2).png', 'icon (3).png'])
  expect(basename(packaged.path)).toBe('outputs.zip')
})

test('a conversion without output fails', async () => {
  await expect(packageOutputs(converterOf('image.ico-to-png'), 'x', [], folder)).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})
