/**
 * No switch is dead: the ends of every option change the result, or are refused, or its schema says when it applies. An ordinary run
 * tries a cheap conversion, the full one each option of each conversion, of which those that the same code makes share one.
 */
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files.ts'
import { isFull, kinds } from '../../../testing/fixtures/full.ts'
import { makeRecordings, makeVideos } from '../../../testing/recordings.ts'
import { switchSources } from '../../../testing/switch-sources.ts'
import { deadSwitches, shareOfEach } from '../../../testing/switches.ts'
import { isBundle } from '../catalogue/bundle.ts'
import type { Converter } from '../catalogue/converter.ts'
import { converters } from './index.ts'

const files = testFiles('switches')
const sources = switchSources(files)
if (isFull) {
  makeRecordings(files.folder)
  makeVideos(files.folder)
}
const isMedia = ({ category, source }: Converter) => /^(audio|video)$/.test(category) && source !== 'audio'
const sourceOf = (converter: Converter) =>
  isMedia(converter)
    ? files.path(`good.${converter.source}`)
    : (sources[`${converter.category}.${converter.source}`] ?? sources[`images.${converter.source}`])!()

/** What the sources here cannot show. */
const unseen: [jobs: RegExp, why: string, paths: string[]][] = [
  [/-to-(ico|icns)$/, 'icons are smaller than the sizes of the list', ['resize.preset', 'resize.enlarge']],
  [
    /^image\.webp-to-(pdf|svg|tiff)$/,
    'a gradient is as small and has the same shapes',
    ['smartCompression.enabled', 'smartCompression.mode', 'flip'],
  ],
  [/^document\.files-to-pdf$/, 'a form is not filled from a picture', ['flatten']],
  [/^audio\./, 'recordings here have no tags', ['metadata.strip']],
  [
    /^video\./,
    'videos here are square, and smaller than the sizes of the list',
    ['crop.gravity', 'video.resolution', 'resize.preset'],
  ],
  [/^video\./, 'there need not be a graphics card', ['video.hardware']],
  [/^video\.webm-to-webm$/, 'it is as small as it can be', ['video.quality']],
  [/^image\.lottie-to-(apng|gif)$/, 'flat colours are as small', ['smartCompression.mode']],
]

// A WebP first, of which every change of a picture is seen.
const ordered = converters
  .filter(({ source }) => !isBundle(source) || source === 'files')
  .toSorted((a, b) => Number(b.source === 'webp') - Number(a.source === 'webp'))
const tried = kinds(shareOfEach(ordered), ({ converter: { job } }) => job === 'archive.7z-to-zip')

test.each(tried)('$converter.job', { timeout: 900_000 }, async ({ converter, paths }) => {
  const { job, options } = converter
  const spared = unseen.flatMap(([jobs, , spared]) => (jobs.test(job) ? spared : []))
  const seen = paths.filter(path => !spared.includes(path))
  expect(await deadSwitches(job, options, await sourceOf(converter), seen)).toEqual([])
})
