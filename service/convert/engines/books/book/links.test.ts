import { expect, test } from 'vitest'
import {
  elementsIn,
  entriesOf,
  isRemote,
  joinTarget,
  linksOf,
  readingOrder,
  relativeHref,
  resolveHref,
  splitTarget,
} from './links.ts'
import { readXhtml } from './markup/document.ts'
import type { Book } from './model.ts'

test.each([
  ['text/one.xhtml', 'two.xhtml#n', 'text/two.xhtml#n'],
  ['text/one.xhtml', '../img/a%20b.png', 'img/a b.png'],
  ['text/one.xhtml', '#n%C3%A9', 'text/one.xhtml#né'],
  ['one.xhtml', '../../../x.xhtml', 'x.xhtml'],
  ['one.xhtml', '100%.xhtml', '100%25.xhtml'],
  ['one.xhtml', 'a%20%231%3F%25.xhtml#x%20%23', 'a %231?%25.xhtml#x #'],
  ['one.xhtml', 'a%2523.xhtml', 'a%2523.xhtml'],
  ['one.xhtml', 'a%20b%3Ac.xhtml', 'a b:c.xhtml'],
])('in %s, %s leads to %s', (base, reference, expected) => {
  const target = resolveHref(base, reference)
  expect(target && joinTarget(target.href, target.fragment)).toBe(expected)
  expect(resolveHref(base, relativeHref(base, splitTarget(expected)))).toEqual(target)
})

test('references that lead out of the book are remote and do not resolve', () => {
  for (const reference of ['https://example.org/', 'mailto:a@b', '//example.org/x', 'data:,x']) {
    expect(isRemote(reference)).toBe(true)
    expect(resolveHref('a.xhtml', reference)).toBeUndefined()
  }
})

test('links are found in document order', () => {
  const { root } = readXhtml('<html><body><a href="1"><img src="2"/></a><a href="3"/></body></html>')
  expect([...linksOf(root)].map(({ value }) => value)).toEqual(['1', '2', '3'])
  expect([...elementsIn(root)].map(({ name }) => name)).toEqual(['html', 'body', 'a', 'img', 'a'])
})

test('entries of a table of contents are listed in order with their depth', () => {
  const entry = (title: string, children: Book['navigation'] = []) => ({ title, href: null, children })
  const entries = [entry('a', [entry('b')]), entry('c')]
  expect([...entriesOf(entries)].map(({ title, depth }) => [title, depth])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ])
})

test('documents reached only by links come last', () => {
  const item = (href: string, linear: boolean) => ({ href, linear, properties: [] })
  expect(readingOrder({ spine: [item('notes', false), item('one', true)] })).toEqual(['one', 'notes'])
})
