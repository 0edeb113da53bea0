import { expect, test } from 'vitest'
import { fillTemplate, type NameParts, templateProblem } from './template.ts'

const parts: NameParts = {
  name: 'Zürich',
  ext: 'webp',
  counter: 7,
  total: 120,
  date: new Date(2026, 2, 9, 23, 30).getTime(),
  source: 'heic',
  target: 'webp',
}

test.each([
  ['{name}.{ext}', 'Zürich.webp'],
  ['{counter} {name}', '007 Zürich.webp'],
  ['{date}_{name}-{target}.{ext}', '2026-03-09_Zürich-webp.webp'],
  ['{ext}', 'webp'],
  ['{date} {time} {source}', '2026-03-09 23-30-00 heic.webp'],
  ['con', '_con.webp'],
  ['', 'Zürich.webp'],
])('%j becomes %j', (template, name) => expect(fillTemplate(template, parts)).toBe(name))

test.each([
  ['{name}-{width}x{height}', 'Zürich.webp', 'Zürich-640x480.webp'],
  ['{name} ({width} x {height}).{ext}', 'Zürich.webp', 'Zürich (640 x 480).webp'],
  ['{preset}_{name}', 'Zürich.webp', 'web_Zürich.webp'],
  ['{name} [{preset}] {counter}', 'Zürich 007.webp', 'Zürich [web] 007.webp'],
  ['{name}.{preset}.{ext}', 'Zürich.webp', 'Zürich.web.webp'],
  ['{width}', 'Zürich.webp', '640.webp'],
  ['{preset} – {width} {name}', 'Zürich.webp', 'web – 640 Zürich.webp'],
])('%j is %j if nothing is known, and %j otherwise', (template, without, withAll) => {
  expect(fillTemplate(template, parts)).toBe(without)
  expect(fillTemplate(template, { ...parts, preset: 'web', width: 640, height: 480 })).toBe(withAll)
})

test('a value cannot lead to another folder or introduce a placeholder', () => {
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
