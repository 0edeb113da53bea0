/**
 * No switch is dead: the ends of every option change the result, or are refused, or its schema says when it applies. An ordinary run
 * tries a cheap conversion, the full one all targets of a picture, one of each further kind of picture, and what is made of text alone.
 */
import { expect, test } from 'vitest'
import { extremeSources } from '../../../testing/extreme-sources.ts'
import { testFiles } from '../../../testing/files.ts'
import { kinds } from '../../../testing/samples/full.ts'
import { gradient } from '../../../testing/samples/pixels.ts'
import { deadSwitches } from '../../../testing/switches.ts'
import { converters } from './index.ts'

/** A gradient within a white border. */
const picture = gradient(1300, 60)
for (let at = 0; at < picture.data.length; at++) {
  const [x, y] = [Math.floor(at / 3) % picture.width, Math.floor(at / 3 / picture.width)]
  if (x < 20 || x >= picture.width - 20 || y < 10 || y >= picture.height - 10) picture.data[at] = 255
}
const files = testFiles('switches')
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs><path d="M40 40H360V200Q200 300 40 90Z" fill="url(#g)"/></svg>'
const sources = {
  ...extremeSources(files, picture),
  'images.svg': () => files.write(Buffer.from(drawing), 'svg'),
}

// Not icons, which are smaller than the sizes of the list; nor a gradient as shapes, TIFF or PDF, which come out as the same however they are asked for.
const isTried =
  /^(image\.(webp-to-(?!ic|svg|tiff|pdf).*|svg-to-jpg|tiff-to-jpg)|document\.(csv|txt)-to-pdf|archive\.(7z|cpio|tar.*)-to-zip)$/
const tried = kinds(
  converters.filter(({ job }) => isTried.test(job)),
  ({ job }) => job === 'archive.tar-to-zip',
)

test.each(tried)('$job', { timeout: 900_000 }, async ({ job, category, source, options }) => {
  const path = await (sources as Record<string, () => Promise<string> | string>)[`${category}.${source}`]!()
  expect(await deadSwitches(job, options, path)).toEqual([])
})
