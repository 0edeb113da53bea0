import { expect, test } from 'vitest'
import { replaceAddresses } from './addresses.ts'

const replaced = (css: string) =>
  replaceAddresses(css, {
    sheet: address => (address === 'gone.css' ? null : `new-${address}`),
    resource: address => (address.startsWith('data:') ? undefined : `new-${address}`),
  })

test.each([
  ['a { background: url(a.png) }', 'a { background: url(new-a.png) }'],
  [`a { background: url( "b c.png" ) }`, 'a { background: url(new-b c.png) }'],
  ['a { background: URL(a\\).png) }', 'a { background: url(new-a).png) }'],
  ['@import "more.css" print;', '@import url(new-more.css) print;'],
  ["@import url('more.css');", '@import url(new-more.css);'],
  ['@import "gone.css"; b { top: 0 }', ' b { top: 0 }'],
  // What is no address stays as it is.
  ['a { content: "url(a.png)" }', 'a { content: "url(a.png)" }'],
  ['/* url(a.png) */ a { top: 0 }', '/* url(a.png) */ a { top: 0 }'],
  ['a { background: url(data:image/png,x) }', 'a { background: url(data:image/png,x) }'],
  // What only means something in the original file goes.
  ['@charset "utf-16"; <!-- a { top: 0 } -->', '  a { top: 0 } '],
  ['@namespace "http://www.w3.org/1999/xhtml"; a { top: 0 }', ' a { top: 0 }'],
  [
    '@font-face { src: url(a.woff2) format("woff2"), local(b) }',
    '@font-face { src: url(new-a.woff2), local(b) }',
  ],
  ['a { top: 0 }', 'a { top: 0 }'],
])('%s', (css, expected) => {
  expect(replaced(css)).toBe(expected)
})

test('an unfinished rule ends with the sheet', () => {
  expect(replaced('@import "more.css"')).toBe('@import url(new-more.css)')
  expect(replaced('a { background: url("a.png"')).toBe('a { background: url("a.png"')
})
