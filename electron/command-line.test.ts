import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { pageOfLink } from './links.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'refile-words-'))
  for (const name of ['a b.png', '-odd.png', 'ä.jpg']) writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'sub'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (...words: string[]) => readCommandLine(words, folder)

test('files are read from paths and file URLs, and anything else is left out', () => {
  const url = pathToFileURL(join(folder, 'ä.jpg')).href
  expect(
    read('a b.png', url, join(folder, '-odd.png'), '-odd.png', 'sub', 'gone', 'file://nowhere/x').files,
  ).toEqual(['a b.png', 'ä.jpg', '-odd.png'].map(name => join(folder, name)))
})

test.each([
  [['--to=png'], 'png'],
  [['--allow-file-access', '--to=pdf-ocr', '--x'], 'pdf-ocr'],
  [['--to=../x'], null],
  [['--to='], null],
  [['--to', 'png'], null],
  [[], null],
])('of %j the target is %j', (words, target) => expect(read(...words).target).toBe(target))

test('a start with the session is distinguished from others', () => {
  expect(read('--hidden').hidden).toBe(true)
  expect(read('a b.png').hidden).toBe(false)
})

test.each([
  ['refile://open', 'convert'],
  ['refile://open/', 'convert'],
  ['refile://open/history', 'history'],
  ['refile://open/settings/', 'settings'],
  ['refile://open/keys', undefined],
  ['refile://open/history?x=1', undefined],
  ['refile://open/history#x', undefined],
  ['refile://open//history', undefined],
  ['refile://open@history', undefined],
  ['refile://convert?file=/etc/passwd', undefined],
  ['refile:///etc/passwd', undefined],
  ['REFILE://open', undefined],
  ['refile://open\n--to=png', undefined],
  ['https://open', undefined],
])('%j opens %j', (link, page) => {
  expect(pageOfLink(link)).toBe(page)
  expect(read(link)).toMatchObject({ page: page ?? null, files: [], target: null })
})
