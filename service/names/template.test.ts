import { expect, test } from 'vitest'
import { fillTemplate, type NameParts, templateProblem } from './template.ts'

const parts: NameParts = {
  name: 'Zürich',
  ext: 'webp',
  counter: 7,
  total: 120,
  date: new Date(2026, 2, 9, 23, 30).getTime(),
  target: 'webp',
}

test.each([
  ['{name}.{ext}', 'Zürich.webp'],
  ['{counter} {name}', '007 Zürich.webp'],
  ['{date}_{name}-{target}.{ext}', '2026-03-09_Zürich-webp.webp'],
  ['{ext}', 'webp'],
  ['con', '_con.webp'],
  ['', 'webp'],
])('%j becomes %j', (template, name) => expect(fillTemplate(template, parts)).toBe(name))

test('a value leads to no other folder and holds no placeholder', () => {
  expect(fillTemplate('{name}.{ext}', { ...parts, name: '../../x' })).toBe('_.._x.webp')
  expect(fillTemplate('{name}.{ext}', { ...parts, name: '{target}' })).toBe('{target}.webp')
  expect(fillTemplate('{name}.{ext}', { ...parts, name: 'x'.repeat(300) })).toHaveLength(255)
})

test.each([
  ['{name}.{ext}', undefined],
  ['plain', undefined],
  ['{nane}.{ext}', { kind: 'unknown', word: 'nane' }],
  ['{constructor}', { kind: 'unknown', word: 'constructor' }],
  ['{date}/{name}.{ext}', { kind: 'folder' }],
  ['..\\{name}', { kind: 'folder' }],
])('the problem of %j is %j', (template, problem) => expect(templateProblem(template)).toEqual(problem))
