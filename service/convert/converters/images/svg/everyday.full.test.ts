/** Everyday SVG documents, compared with Chromium's rendering. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chromiumPictures, pixelDifference } from '../../../../../testing/chromium.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { exports } from '../../../../../testing/svg/exports.ts'
import { filters } from '../../../../../testing/svg/filters.ts'
import { fonts, images } from '../../../../../testing/svg/images.ts'
import { masking } from '../../../../../testing/svg/masking.ts'
import { paint } from '../../../../../testing/svg/paint.ts'
import { shapes } from '../../../../../testing/svg/shapes.ts'
import { structure } from '../../../../../testing/svg/structure.ts'
import { text } from '../../../../../testing/svg/text.ts'

const files = testFiles('everyday')

/** Share of pixels that may differ in a document that counts as equal. */
const LIMIT = 0.005
/** Documents that are known to differ: letters lie up to a pixel aside. */
const KNOWN = new Set([
  'lines with text',
  'baselines of text',
  'a badge',
  'bold of a span in letters far apart',
])

function woff2(font: Buffer): Buffer {
  writeFileSync(files.path('font.ttf'), font)
  execFileSync('woff2_compress', [files.path('font.ttf')], { stdio: 'ignore' })
  return readFileSync(files.path('font.woff2'))
}

test('vector graphics look as they do in Chromium', async () => {
  const vectorGraphics: Record<string, string> = {
    ...{ ...shapes, ...paint, ...structure, ...text, ...masking, ...filters, ...exports },
    ...(await images()),
    ...fonts(woff2),
  }
  expect(Object.keys(vectorGraphics).length).toBeGreaterThan(180)
  const expected = await chromiumPictures(vectorGraphics)
  const different = new Map<string, string>()
  for (const [name, vectorGraphic] of Object.entries(vectorGraphics)) {
    writeFileSync(files.path('vector.svg'), vectorGraphic)
    const { path } = await convertFile('image.svg-to-png', files.path('vector.svg'))
    const share = await pixelDifference(path, expected[name]!)
    if (share > LIMIT) different.set(name, `${(share * 100).toFixed(2)} %`)
  }
  expect([...different].filter(([name]) => !KNOWN.has(name))).toEqual([])
}, 120_000)
