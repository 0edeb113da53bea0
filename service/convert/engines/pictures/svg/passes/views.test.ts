import { describe, expect, test } from 'vitest'
import { drawing } from '../../../../../../testing/drawings/drawing.ts'
import { readDrawing, renderDrawing } from '../index.ts'

const RED = '<rect width="50" height="50" fill="red"/>'
const DEFINITIONS =
  '<filter id="f"><feComponentTransfer><feFuncA type="linear" slope=".5"/></feComponentTransfer></filter>' +
  '<mask id="m"><rect width="99" height="99" fill="#fff" fill-opacity=".5"/></mask>'

async function render(content: string, attributes = ''): Promise<Uint8Array> {
  const size = `width="50" height="50" ${attributes}`
  return renderDrawing(await readDrawing(Buffer.from(drawing(DEFINITIONS + content, size))), 50, 50, [])
}

describe.each(['opacity=".5"', 'filter="url(#f)"', 'mask="url(#m)"'])('%s applies once', effect => {
  test.each([
    ['to the drawing', () => render(RED, effect)],
    ['to a drawing with a view box', () => render(RED, `${effect} viewBox="0 0 25 25"`)],
    ['to a view inside', () => render(`<svg width="40" height="40" ${effect}>${RED}</svg>`)],
  ])('%s', async (_, draw) => {
    const pixels = await draw()
    const [r, g, b, alpha = 0] = pixels.subarray(4 * (10 * 50 + 10))
    expect([r, g, b]).toEqual([255, 0, 0])
    expect(Math.abs(alpha - 128)).toBeLessThanOrEqual(2)
  })
})

test('markers are drawn on lines, but not on rectangles and circles, as in browsers', async () => {
  const marked = (shape: string, marker: string) =>
    `<marker id="k" viewBox="-1 -1 2 2" orient="auto"><circle r="1"/></marker><g marker-mid="${marker}" fill="none" stroke="red">${shape}</g>`
  const drawn = async (shape: string) => {
    const [plain, dotted] = [await render(marked(shape, 'none')), await render(marked(shape, 'url(#k)'))]
    return !Buffer.from(plain).equals(dotted)
  }
  expect(await drawn('<path d="M9 9h20v20"/>')).toBe(true)
  expect(await drawn('<rect x="9" y="9" width="20" height="20"/>')).toBe(false)
  expect(await drawn('<circle cx="20" cy="20" r="9"/>')).toBe(false)
})
