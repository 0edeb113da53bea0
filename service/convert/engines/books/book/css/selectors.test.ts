import { expect, test } from 'vitest'
import { elementsIn } from '../links.ts'
import { readXhtml } from '../markup/document.ts'
import { StyleSheets } from './cascade.ts'

const body =
  '<h1 id="h">H</h1><p id="a">a</p><p id="b" class="x">b</p><div id="d"><a id="l" href="#a">l</a><a id="n">n</a></div><p id="c">c</p>'

/** The elements that a selector matches, as browsers do. */
function matched(selector: string): string {
  const { root } = readXhtml(
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><style>${selector} { color: red }</style></head><body>${body}</body></html>`,
  )
  const styleOf = new StyleSheets({ resources: new Map() }, new Set(['color'])).stylesOf(root, 'one.xhtml')
  const found = [...elementsIn(root)].filter(element => styleOf(element).color === 'red')
  return found.map(({ attributes }) => attributes.id).join('')
}

test.each([
  ['p:first-of-type', 'a'],
  ['p:last-of-type', 'c'],
  ['h1:only-of-type', 'h'],
  ['body > :first-child', 'h'],
  ['body > :last-child', 'c'],
  ['body > :nth-child(2)', 'a'],
  ['body > :nth-child(odd)', 'hbc'],
  ['body > :nth-child(-n+2)', 'ha'],
  ['body > :nth-child(3n+2)', 'ac'],
  ['body > :nth-last-child(2)', 'd'],
  ['p:nth-of-type(even)', 'b'],
  ['p:nth-last-of-type(n+2)', 'ab'],
  ['body > :is(h1, .x, :hover)', 'hb'],
  ['a:is(div > a)', 'ln'],
  [':where(#d, #c)', 'dc'],
  [':link', 'l'],
  ['p:not(.x, :first-of-type)', 'c'],
  ['p:not(:hover)', 'abc'],
  ['p:not(:unknown)', ''],
  ['[ID="a"]', ''],
  ['[class="X" i]', 'b'],
  ['a:empty', ''],
  ['h1 + p', 'a'],
])('%s', (selector, expected) => {
  expect(matched(selector)).toBe(expected)
})
