import { describe, expect, test } from 'vitest'
import { svgWith } from '../../../../../testing/svg/document.ts'
import { readVectorGraphic, renderVectorGraphic } from './index.ts'
import { withoutOutside } from './outside.ts'
import { parseVectorGraphic } from './parse.ts'
import { serialize } from './tree.ts'

const SIZE = 'width="50" height="50"'
const DEFINITIONS =
  '<defs><filter id="f"><feGaussianBlur stdDeviation="2"/></filter><clipPath id="c"><rect x="900" width="9" height="9"/></clipPath>' +
  '<marker id="m" markerWidth="3" markerHeight="3"><path d="M0 0h3v3z"/></marker>' +
  '<symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9" opacity=".5"/></symbol></defs>'
const SEEN = '<rect x="5" y="5" width="20" height="20" fill="red"/>'

async function render(content: string): Promise<Uint8Array> {
  const read = await readVectorGraphic(Buffer.from(svgWith(DEFINITIONS + content, SIZE)))
  return renderVectorGraphic(read, 50, 50, [])
}

describe('a filter region far larger than the picture', () => {
  const mix =
    '<feFlood flood-color="red" result="a"/><feComposite in="SourceGraphic" in2="a" operator="arithmetic" k2=".5" k3=".5"/>'
  const square = (region: string) =>
    render(`<filter id="o" ${region}>${mix}</filter><rect width="20" height="20" filter="url(#o)"/>`)

  test.each([
    'x="-10" y="-10" width="99999" height="90" filterUnits="userSpaceOnUse"',
    'x="-1e5" y="-1e5" width="2e5" height="2e5" filterUnits="userSpaceOnUse"',
    'x="-1e9" y="-1e9" width="2e9" height="2e9" filterUnits="userSpaceOnUse"',
    'x="-1000" y="-1000" width="2001" height="2001"',
    'x="-1e8" y="-1e8" width="2e8" height="2e8"',
  ])('is cut where nothing is visible: %s', async region => {
    expect(await square(region)).toEqual(await square('x="-1" y="-1" width="5" height="5"'))
  })
})

describe('what is far outside the picture changes nothing', () => {
  test.each([
    ['a layer', '<rect x="900" width="20" height="20" opacity=".5"/>'],
    ['above', '<rect y="-900" width="20" height="20" opacity=".5"/>'],
    [
      'a group',
      '<g transform="translate(0 900)" opacity=".5"><path d="M0 0h9v9z"/><path d="M5 0h9v9z"/></g>',
    ],
    [
      'in a group that is in sight',
      '<g><path d="M0 0h1v1z" fill="none"/><circle cx="900" r="5" opacity=".5"/></g>',
    ],
    ['a filter', '<circle cx="-900" r="9" filter="url(#f)"/>'],
    ['a clip', '<rect x="900" width="9" height="9" clip-path="url(#c)"/>'],
    ['text', '<text x="900" y="9" filter="url(#f)">text</text>'],
    ['a view', '<svg x="900" width="20" height="20"><rect width="9" height="9" opacity=".5"/></svg>'],
    ['a symbol', '<use x="900" href="#s" width="20" height="20"/>'],
    [
      'a use',
      '<g id="g" display="none"/><use x="900" href="#r"/><defs><g id="r" opacity=".5"><path d="M0 0h9v9z"/></g></defs>',
    ],
    ['a marker', '<path d="M60 10H5000" fill="none" stroke="red" marker-end="url(#m)"/>'],
    [
      'an offset',
      '<filter id="o"><feOffset dx="1e21"/></filter><rect width="3" height="3" filter="url(#o)"/>',
    ],
  ])('%s', async (_, content) => {
    expect(await render(content + SEEN)).toEqual(await render(SEEN))
  })
})

test('what is used from there is still drawn', async () => {
  const source = '<rect id="r" x="905" y="5" width="20" height="20" fill="red" opacity=".5"/>'
  const direct = '<rect x="5" y="5" width="20" height="20" fill="red" opacity=".5"/>'
  expect(await render(`${source}<use href="#r" x="-900"/>`)).toEqual(await render(direct))
})

test('near the picture nothing is hidden, and the document itself stays as it is', () => {
  const { root } = parseVectorGraphic(
    svgWith(
      '<rect x="-60" width="20" height="20"/><g><rect x="80" width="20" height="20"/></g><rect x="200" width="20" height="20"/>',
    ),
  )
  const before = serialize(root)
  const shown = withoutOutside(root, { width: 50, height: 50 }, { left: 0, top: 0, right: 50, bottom: 50 })
  expect(serialize(shown).match(/<defs><rect x="(\d+)"/g)).toEqual(['<defs><rect x="200"'])
  expect(serialize(root)).toBe(before)
})
