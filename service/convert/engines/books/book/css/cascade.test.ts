import { expect, test } from 'vitest'
import { elementsIn } from '../links.ts'
import { readXhtml } from '../markup/document.ts'
import type { Book, Resource } from '../model.ts'
import { StyleSheets } from './cascade.ts'

/** The colour of the paragraph of a document, with style sheets beside it. */
function colourOf(head: string, paragraph: string, sheets: Record<string, string> = {}): string | undefined {
  const { root } = readXhtml(
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title>${head}</head><body>${paragraph}</body></html>`,
  )
  const resources = new Map(
    Object.entries(sheets).map(([href, css]): [string, Resource] => [
      href,
      { href, mediaType: 'text/css', bytes: Buffer.from(css) } as Partial<Resource> as Resource,
    ]),
  )
  const book = { resources } as Partial<Book> as Book
  const styleOf = new StyleSheets(book, new Set(['color'])).stylesOf(root, 'text/one.xhtml')
  const found = [...elementsIn(root)].find(({ name }) => name === 'p')
  return styleOf(found!).color
}

const style = (css: string) => `<style>${css}</style>`
const plain = '<p id="i" class="c">x</p>'

test.each([
  ['the later of equal rules wins', 'p { color: red } p { color: blue }', plain, 'blue'],
  ['a class beats an element', '.c { color: red } p { color: blue }', plain, 'red'],
  ['an id beats classes', '#i { color: red } p.c.c.c { color: blue }', plain, 'red'],
  [
    'the style of the element beats rules',
    '#i { color: red }',
    '<p id="i" style="color: blue">x</p>',
    'blue',
  ],
  ['!important beats everything', 'p { color: red !important }', '<p style="color: blue">x</p>', 'red'],
  [
    'rules for other media do not count',
    '@media print { p { color: red } } @media screen { p { color: blue } }',
    plain,
    'blue',
  ],
  ['a damaged rule costs itself', 'p { color: red } p { color; color: ) } .c { color: blue }', plain, 'blue'],
])('%s', (_, css, paragraph, expected) => {
  expect(colourOf(style(css), paragraph)).toBe(expected)
})

test('sheets that are linked, and those they import, apply in order', () => {
  const head = '<link rel="stylesheet" href="../a.css"/>'
  const sheets = { 'a.css': '@import "b.css"; .c { color: red }', 'b.css': 'p.c { color: blue }' }
  expect(colourOf(head, plain, sheets)).toBe('blue')
  expect(colourOf(head, plain, { ...sheets, 'b.css': 'p { color: blue }' })).toBe('red')
  expect(colourOf(head.replace('href', 'media="print" href'), plain, sheets)).toBeUndefined()
})

test('sheets that import each other end', () => {
  const sheets = {
    'a.css': '@import "b.css"; p { color: red }',
    'b.css': '@import "a.css"; p { color: blue }',
  }
  expect(colourOf('<link rel="stylesheet" href="../a.css"/>', plain, sheets)).toBe('red')
})
