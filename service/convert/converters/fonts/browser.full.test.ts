/** Chromium renders converted fonts like the originals. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { chromiumPictures, pixelDifference } from '../../../../testing/chromium.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { makeFonts, sampleText } from '../../../../testing/fonts.ts'

const files = testFiles('fonts-browser')
beforeAll(() => makeFonts(files.folder))

/**
 * Share of pixels that may look different, since both kinds of outlines are smoothed differently; another font differs in ten
 * times as many.
 */
const LIMIT = 0.002

/** The text in two weights, set in a font, or in any other by default. */
function vectorGraphic(path?: string): string {
  const data = path && readFileSync(path).toString('base64')
  const type = path && extname(path).slice(1)
  const face = path
    ? `@font-face{font-family:T;src:url(data:font/${type};base64,${data});font-weight:100 900}`
    : ''
  const lines = [400, 850].map(
    (weight, i) =>
      `<text x="10" y="${70 + 80 * i}" font-weight="${weight}">${sampleText.replace('&', '&amp;')}</text>`,
  )
  const style = `${face}text{font-family:T;font-size:48px;font-synthesis:none}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="180"><style>${style}</style>${lines.join('')}</svg>`
}

test('converted fonts look the same', async () => {
  const sources = {
    'a.ttf': ['otf', 'woff2'],
    'a.otf': ['ttf', 'woff'],
    'variable.ttf': ['woff2'],
  }
  const vectorGraphics: Record<string, string> = { none: vectorGraphic() }
  for (const [name, targets] of Object.entries(sources)) {
    vectorGraphics[name] = vectorGraphic(files.path(name))
    for (const target of targets) {
      const { path } = await convertFile(`font.${name.split('.')[1]}-to-${target}`, files.path(name))
      vectorGraphics[`${name} ${target}`] = vectorGraphic(path)
    }
  }
  const pictures = await chromiumPictures(vectorGraphics)
  for (const [name, targets] of Object.entries(sources)) {
    expect(await pixelDifference(pictures[name]!, pictures.none!)).toBeGreaterThan(0.02)
    for (const target of targets) {
      const share = await pixelDifference(pictures[name]!, pictures[`${name} ${target}`]!)
      expect(share, `${name} to ${target}`).toBeLessThan(LIMIT)
    }
  }
})
