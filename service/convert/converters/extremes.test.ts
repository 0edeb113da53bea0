/**
 * Every conversion at the ends of the ranges of its options, two at a time; those of media files have a test of their own, and fonts
 * have no options. Whatever is chosen, a valid file results, or a failure that says what was asked too much.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { extremeSources } from '../../../testing/extreme-sources.ts'
import { extremeCases, extremesOf, withSettings } from '../../../testing/extremes.ts'
import { testFiles } from '../../../testing/files.ts'
import { convertFile } from '../../../testing/fixtures/convert.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../testing/fixtures/media.ts'
import { words } from '../../../testing/office-pdf.ts'
import { rowsOf } from '../../../testing/statements.ts'
import { JobFailure } from '../../shared/errors.ts'
import { converters } from './index.ts'

const sources = extremeSources(testFiles('extremes'))
/** Pictures become documents, too. */
const sourceOf = ({ category, source }: { category: string; source: string }) =>
  sources[`${category}.${source}`] ?? sources[`images.${source}`]
const isRecording = /^(audio|video)$/

const all = converters.filter(
  ({ category, options }) => !isRecording.test(category) && extremesOf(options).length > 0,
)
// Some settings of one of each engine with ranges are enough between releases.
const short = ['image.png-to-webp', 'archive.7z-to-zip', 'ebook.epub-to-mobi']
const tried = all.filter(({ job }) => isFull || short.includes(job))
const between = <T>(rows: readonly T[]): T[] => rows.filter((_, nth) => isFull || nth === 0)

/** Has another program than the one that wrote it read a file. */
function expectValid(path: string, { category, source }: { category: string; source: string }): void {
  const bytes = readFileSync(path)
  const head = bytes.toString('latin1', 0, 8)
  expect(bytes.length).toBeGreaterThan(0)
  if (head.startsWith('%PDF')) expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  else if (head.startsWith('PK')) expect(judge('unzip', '-tq', path)).toMatchObject({ status: 0 })
  else if (category === 'archives') expect(tool('bsdtar', '-tf', path)).toContain('plain.txt')
  // ImageMagick as Debian limits it cannot open the largest pages and videos.
  else if (/\.(apng|gif|jp2|jpg|jxl|png|webm)$/.test(path))
    expect(judge('ffprobe', '-v', 'error', path)).toEqual({ status: 0, text: '' })
  else if (/\.(avif|bmp|ico|tiff|webp)$/.test(path))
    expect(tool('identify', '-format', '%w ', path)).toMatch(/^(\d+ )+$/)
  else if (/\.svg$/.test(path)) expect(judge('xmllint', '--noout', path)).toEqual({ status: 0, text: '' })
  else if (/\.mobi$/.test(path)) expect(bytes.toString('latin1', 60, 68)).toBe('BOOKMOBI')
  else if (source === 'bank-statement' && /\.csv$/.test(path))
    expect(rowsOf(bytes.toString()).length).toBeGreaterThan(10)
  else expect(bytes.toString()).toContain(words[0])
}

it('there is a small file of every format', () => {
  const lacking = all.filter(converter => !sourceOf(converter))
  expect([...new Set(lacking.map(({ source }) => source))]).toEqual([])
})

describe.each(tried)('$job', ({ job, category, source, options }) => {
  it.each(between(extremeCases(options)))('%s', { timeout: 900_000 }, async (_, settings) => {
    const path = await sourceOf({ category, source })!()
    const converted = await convertFile(job, path, withSettings(settings)).catch((error: unknown) => {
      if (error instanceof JobFailure) return error
      throw error
    })
    // A hundred times the size of a file can be more than its format holds, and a part can lie outside of the picture.
    if (converted instanceof JobFailure)
      return expect(['jobs.too_large', 'jobs.unsupported_input']).toContain(converted.code)
    expect(converted.outputs).not.toEqual([])
    for (const { path } of converted.outputs) expectValid(path, { category, source })
  })
})

it('every conversion with options has a source here', () => {
  const without = all.filter(converter => !sourceOf(converter))
  expect(without.map(({ job }) => job)).toEqual([])
})
