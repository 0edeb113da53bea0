import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { cleanName, numberedName, portableFolders, portableName, UniqueNames } from './names.ts'

const bytes = (text: string) => Buffer.byteLength(text)

/** Names from people, programs and attackers: any characters, with the critical ones frequent. */
const names = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        '.',
        '..',
        ' ',
        '/',
        '\\',
        ':',
        'con',
        'NUL',
        'lpt1',
        'COM²',
        '\u202e',
        '\u0000',
        '\ud800',
      ),
      fc.constantFrom(
        'e\u0301',
        '👩‍👩‍👧',
        '.jpg',
        '.tar.gz',
        '?*<>|"',
        'a'.repeat(250),
        '日'.repeat(90),
        '\u0301'.repeat(200),
      ),
    ),
    { maxLength: 6 },
  )
  .map(parts => parts.join(''))

describe('cleanName', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['folder/', 'folder'],
    ['a\u0000b\n.jpg', 'ab.jpg'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['say "what?".png', 'say "what?".png'],
    ['..', 'file'],
    ['', 'file'],
    [`${'ä'.repeat(300)}.jpg`, `${'ä'.repeat(125)}.jpg`],
  ])('%j becomes %j', (name, clean) => expect(cleanName(name)).toBe(clean))

  test('any name becomes one visible, short name; cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(names, name => {
        const clean = cleanName(name)
        expect(clean).not.toMatch(/[\\/\p{Cc}\u202a-\u202e\u2066-\u2069]|^\.*$/u)
        expect(clean.isWellFormed()).toBe(true)
        expect(bytes(clean)).toBeLessThanOrEqual(255)
        expect(cleanName(clean)).toBe(clean)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('portableName', () => {
  test.each([
    ['Photo 1 – Zürich.webp', 'Photo 1 – Zürich.webp'],
    ['../../etc/passwd', 'passwd'],
    ['A: x', 'A_ x'],
    ['C:evil.exe', 'C_evil.exe'],
    ['notes.txt:hidden', 'notes.txt_hidden'],
    ['a<b>:"|?*.png', 'a_b______.png'],
    ['report. . .', 'report'],
    [' .hidden. ', 'hidden'],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['lpt1 .txt', '_lpt1 .txt'],
    ['com¹', '_com¹'],
    ['console.txt', 'console.txt'],
    ['/', 'file'],
    ['...', 'file'],
  ])('%j becomes %j', (name, portable) => expect(portableName(name)).toBe(portable))

  test('a name is cut between characters and keeps its suffix', () => {
    expect(portableName(`${'e\u0301'.repeat(100)}.jpg`)).toBe(`${'e\u0301'.repeat(83)}.jpg`)
    expect(portableName(`${'👩‍👩‍👧'.repeat(20)}.webp`)).toBe(`${'👩‍👩‍👧'.repeat(13)}.webp`)
    expect(portableName(`a${'\u0301'.repeat(300)}.png`)).toMatch(/^a\u0301+\.png$/)
  })

  const folder = mkdtempSync(join(tmpdir(), 'refile-names-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('any name becomes one that every system accepts; cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(names, name => {
        const portable = portableName(name)
        expect(portable).not.toMatch(/[<>:"|?*\\/\p{Cc}]|^[\s.]|[\s.]$/u)
        expect(portable).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i)
        expect(bytes(portable)).toBeLessThanOrEqual(255)
        expect(portableName(portable)).toBe(portable)
        expect(dirname(join(folder, portable))).toBe(folder)
      }),
      { numRuns: 3000 },
    )
  })

  test('the name can be used on this disk', () => {
    fc.assert(
      fc.property(names, name => {
        writeFileSync(join(folder, portableName(name)), '')
      }),
      { numRuns: 200 },
    )
  })
})

test.each([
  ['a/b/c.png', ['a', 'b']],
  ['../../etc/x.png', ['etc']],
  ['/abs/x.png', ['abs']],
  ['C:\\Windows\\x.png', ['C_', 'Windows']],
  ['a/./ . /..../b/x.png', ['a', 'b']],
  ['nul/con.d/x.png', ['_nul', '_con.d']],
  ['x.png', []],
])('the folders of %j are %j', (path, folders) => expect(portableFolders(path)).toEqual(folders))

test('the folders of any path stay below the starting point', () => {
  fc.assert(
    fc.property(names, path => {
      for (const part of portableFolders(path)) {
        expect(part).not.toMatch(/[\\/]|^\.*$/)
        expect(portableName(part)).toBe(part)
      }
    }),
    { numRuns: 2000 },
  )
})

test('numbers go before the suffix and stay within the maximum length', () => {
  expect(numberedName('photo.png', 1)).toBe('photo.png')
  expect(numberedName('photo.png', 2)).toBe('photo (2).png')
  expect(numberedName('README', 3)).toBe('README (3)')
  expect(numberedName('.hidden', 2)).toBe('.hidden (2)')
  const long = numberedName(`${'a'.repeat(251)}.png`, 12)
  expect(long).toBe(`${'a'.repeat(246)} (12).png`)
})

describe('UniqueNames', () => {
  test('separates names that some disk considers equal', () => {
    const unique = new UniqueNames()
    const taken = ['a.png', 'A.PNG', 'a (2).png', 'a.png', '\u00e9', 'e\u0301'].map(name => unique.take(name))
    expect(taken).toEqual(['a.png', 'A (2).PNG', 'a (2) (2).png', 'a (3).png', '\u00e9', 'e\u0301 (2)'])
  })

  test('never gives a name twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'A', 'a (2)', 'a (3)', 'b.x', 'B.x'), { maxLength: 40 }),
        wanted => {
          const unique = new UniqueNames()
          const given = wanted.map(name => unique.take(name).toLowerCase())
          expect(new Set(given).size).toBe(wanted.length)
        },
      ),
    )
  })
})
