/**
 * Damaged files, converted by worker processes as in the service: a small one of every kind, and every file of
 * the corpus, each truncated and with bytes changed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { corpus, hasCorpus } from '../../../../testing/fixtures/media.ts'
import { malformed } from '../../../../testing/malformed.ts'
import { smallPictures } from '../../../../testing/small-pictures.ts'
import { type Ended, type TestWorkers, testWorkers } from '../../../../testing/workers.ts'
import { splitName } from '../../catalogue/formats.ts'
import { converters } from '../index.ts'

/** Time limit for any file in milliseconds. */
const TIMEOUT = 20_000
/** How many times its own size the result of a damaged file may have. */
const GROWTH = 100
/** A forged count may make a file too large in pixels or in frames. */
const ALLOWED = [
  'converted',
  'jobs.corrupt_input',
  'jobs.unsupported_input',
  'jobs.too_large',
  'jobs.too_many_pages',
]

/** Number of changed copies of each file, besides three truncated ones. */
const COPIES = 32

/** Targets of each format, the most common first. Files of the corpus are converted to the first. */
const targets: Record<string, readonly [string, ...string[]]> = {
  avif: ['jpg', 'gif'],
  bmp: ['jpg'],
  cr2: ['jpg'],
  cr3: ['jpg'],
  gif: ['webp', 'png'],
  heic: ['jpg'],
  ico: ['png'],
  jpg: ['webp', 'pdf'],
  lottie: ['webp', 'png'],
  nef: ['jpg'],
  pict: ['jpg', 'pdf'],
  png: ['webp', 'pdf'],
  psd: ['jpg'],
  raw: ['jpg'],
  svg: ['png'],
  tgs: ['webp'],
  tiff: ['jpg', 'pdf'],
  webp: ['jpg', 'gif'],
}

/** At its own size an animation is more than a hundred times as large as its description, damaged or not. */
const options: Record<string, Record<string, unknown>> = {
  webp: { resize: { enabled: true, preset: 'custom', value: 96 }, fps: 10 },
}

/** Files that give the same picture after truncation: where, and what they have lost. */
const unharmed: Record<string, { cuts: number[]; lost: string }> = {
  'l_sofa_grid1x5_420_dimg_repeat.avif': { cuts: [90], lost: 'a tile that is not shown' },
  'l_supported_gainmap_writer_version_with_extra_bytes.avif': { cuts: [90], lost: 'the tone map' },
  'l_unsupported_gainmap_writer_version_with_extra_bytes.avif': { cuts: [90], lost: 'the tone map' },
  'p_tiff_tiled_cmyk_jpeg.tif': { cuts: [90], lost: 'the padding of XMP' },
  'rainbow.heic': { cuts: [50, 90], lost: 'XMP' },
  'still.png': { cuts: [90], lost: 'dates behind the picture' },
  't_jugware-icon.psd': { cuts: [90], lost: 'the merged picture, which is empty' },
}

const files = testFiles('sweep')
let workers: TestWorkers
beforeAll(async () => {
  workers = await testWorkers(2, TIMEOUT)
})
afterAll(() => workers.close())

/** By the name; that of a Lottie animation may be any JSON's. */
function formatOf(path: string): string {
  const { format = '' } = splitName(basename(path))
  return format === 'json' ? 'lottie' : format
}

function jobOf(path: string, target: string): string {
  const source = formatOf(path)
  const converter = converters.find(candidate => candidate.source === source && candidate.target === target)
  if (!converter) throw new Error(`nothing makes ${target} of ${source}`)
  return converter.job
}

/** Converts a file as it is, then damaged, and checks every outcome against what is allowed. */
async function sweep(path: string, target: string): Promise<Ended> {
  const job = jobOf(path, target)
  const animated = /^(lottie|tgs)$/.test(formatOf(path))
  const convert = (input: string) => workers.convert(job, input, animated ? options[target] : {})
  const earlier = workers.unexpected.length
  const whole = await convert(path)
  const outcomes = await Promise.all(
    malformed(readFileSync(path), COPIES).map(async ({ bytes, ...damage }) => {
      const copy = files.write(bytes, extname(path).slice(1))
      const ended = await convert(copy)
      rmSync(copy)
      return { ...damage, ...ended, growth: ended.bytes / bytes.length }
    }),
  )
  expect(workers.unexpected.slice(earlier)).toEqual([])
  expect(outcomes.filter(({ code }) => !ALLOWED.includes(code))).toEqual([])
  expect(outcomes.filter(({ growth }) => growth > GROWTH)).toEqual([])

  // A file that is already damaged has given a warning.
  if (whole.warnings.some(warning => /damaged|incomplete/.test(warning))) return whole
  const isNews = (warning: string) => !whole.warnings.includes(warning)
  const silent = outcomes.filter(
    ({ cut, code, warnings }) => cut && code === 'converted' && !warnings.some(isNews),
  )
  expect(silent.map(({ cut }) => cut)).toEqual(unharmed[basename(path)]?.cuts ?? [])
  expect(silent.filter(({ digest }) => digest !== whole.digest)).toEqual([])
  return whole
}

/** For the file itself, its truncated copies and its changed ones. */
const timeout = (4 + COPIES) * TIMEOUT

describe('small files', async () => {
  const names = await smallPictures(files)
  const cases = names.flatMap(name => (targets[formatOf(name)] ?? []).map(target => ({ name, target })))

  test('are there for every format', () => {
    expect(new Set(names.map(formatOf))).toEqual(new Set(Object.keys(targets)))
  })

  test.each(cases)('$name to $target', { timeout }, async ({ name, target }) => {
    expect((await sweep(files.path(name), target)).code).toBe('converted')
  })
})

const folders = [
  'avif',
  'bmp',
  'gif',
  'heic',
  'ico',
  'jpg',
  'lottie',
  'pict',
  'png',
  'psd',
  'raw',
  'svg',
  'tgs',
  'tiff',
  'webp',
]

describe.skipIf(!hasCorpus).each(folders)('corpus: %s', folder => {
  const found = corpus(folder).map(path => ({ path, name: basename(path) }))

  test('are there', () => {
    expect(found).not.toEqual([])
  })

  test.each(found)('$name', { timeout }, async ({ path }) => {
    await sweep(path, targets[formatOf(path)]![0])
  })
})
