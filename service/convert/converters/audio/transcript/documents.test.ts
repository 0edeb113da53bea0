import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { checkEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { savedByLibreOffice } from '../../../../../testing/libreoffice.ts'
import { meeting, transcriptOf } from '../../../../../testing/transcript.ts'
import { type Transcript, type TranscriptFormat, writeTranscript } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-transcript-'))
afterAll(() => rmSync(folder, { recursive: true }))

const title = 'Weekly *meeting* & <plans>'
const date = new Date('2026-03-01T12:00:00Z')

async function write(format: TranscriptFormat, transcript: Transcript, suffix: string) {
  const path = join(folder, `${format}-${Math.random().toString(36).slice(2)}.${suffix}`)
  writeFileSync(path, await writeTranscript(format, transcript, { title, date }))
  return path
}

const flat = (text: string) => text.replace(/\s+/g, ' ')
const pdfText = (path: string) => flat(tool('pdftotext', '-layout', path, '-'))

const languages: [string, string][] = [
  ['el', 'Καλημέρα σας, θα μιλήσουμε για τον προϋπολογισμό.'],
  ['ru', 'Доброе утро, сегодня мы говорим о бюджете.'],
  ['pl', 'Zażółć gęślą jaźń, proszę państwa.'],
  ['vi', 'Xin chào tất cả mọi người, hôm nay trời đẹp.'],
  ['ka', 'გამარჯობა, დღეს კარგი ამინდია.'],
]
const manyLanguages = transcriptOf(
  languages.map(([, text], nth) => ({
    start: nth * 7,
    end: nth * 7 + 4,
    text,
  })),
)

describe('pdf', () => {
  test('text can be extracted, and every font is embedded', async () => {
    const path = await write('pdf', meeting, 'pdf')
    const text = pdfText(path)
    expect(text).toContain(title)
    expect(text).toContain('[0:00:09] The website is nearly finished.')
    expect(text).toContain('automatically')
    const fonts = tool('pdffonts', path).trim().split('\n').slice(2)
    expect(fonts.length).toBeGreaterThan(0)
    for (const font of fonts) expect(font).toMatch(/ yes yes yes +\d+ +0$/)
    const info = tool('pdfinfo', path)
    expect(info).toMatch(/Title: +Weekly \*meeting\*/)
    expect(info).toMatch(/Page size: +595\.2\d+ x 841\.89/)
  })

  test('Greek, Cyrillic, Polish, Vietnamese and Georgian are written in their letters', async () => {
    const text = pdfText(await write('pdf', manyLanguages, 'pdf'))
    for (const [, spoken] of languages) expect(text).toContain(spoken)
  })

  /** Words of a page's last line from right to left; poppler returns letters in visual order. */
  const fromTheRight = (path: string) => {
    const words = [
      ...tool('pdftotext', '-bbox', path, '-').matchAll(/xMin="([\d.]+)" yMin="([\d.]+)".*>(.*)<\/word>/g),
    ]
      .map(([, x, y, word]) => ({ x: Number(x), y: Math.round(Number(y)), word: word! }))
      .filter(({ y }) => y < 700)
    const last = Math.max(...words.map(({ y }) => y))
    // Letters of another font on the same line are a little higher or lower.
    return words
      .filter(({ y }) => last - y < 5)
      .toSorted((a, b) => b.x - a.x)
      .map(({ word }) => (/[\u0590-\u06ff]/.test(word) ? [...word].reverse().join('') : word))
  }

  test.each([
    ['he', 'שלום היום 24 במרץ נדבר על Refile Pro והתקציב', 'שלום היום 24 במרץ נדבר על Pro Refile והתקציב'],
    ['ar', 'صباح الخير في 2026', 'صباح الخير في 2026'],
  ])(
    'lines in %s read from right to left, other words and numbers do not',
    async (language, spoken, seen) => {
      const transcript = transcriptOf([{ start: 0, end: 5, text: spoken }], { language })
      const words = fromTheRight(await write('pdf', transcript, 'pdf'))
      // Brackets are turned with the line, as parts of their own.
      expect(
        words
          .join(' ')
          .replace(/(?<=\[) | (?=\])/g, '')
          .normalize('NFKC'),
      ).toBe(`[0:00:00] ${seen}`)
    },
  )

  test('a line in Hebrew begins at the right', async () => {
    const segments = [{ start: 0, end: 5, text: 'שלום היום' }]
    const words = fromTheRight(await write('pdf', transcriptOf(segments, { language: 'he' }), 'pdf'))
    expect(words.join(' ')).toMatch(/0:00:00.*שלום היום$/)
    expect(words.join(' ')).not.toMatch(/^היום/)
  })

  testFull('letters that no font has are reported', async () => {
    const [known, unknown] = ['Hello', 'Hello \u{1340d}'].map(text =>
      transcriptOf([{ start: 0, end: 5, text }]),
    )
    expect(pdfText(await write('pdf', unknown!, 'pdf'))).toContain('Some letters are missing')
    expect(pdfText(await write('pdf', known!, 'pdf'))).not.toContain('Some letters are missing')
  })

  testFull('long recordings continue over many numbered pages', async () => {
    const segments = Array.from({ length: 300 }, (_, nth) => ({
      start: nth * 20,
      end: nth * 20 + 5,
      text: `Point number ${nth} of the very long list that we go through today.`,
    }))
    const path = await write('pdf', transcriptOf(segments), 'pdf')
    const pages = Number(/Pages: +(\d+)/.exec(tool('pdfinfo', path))?.[1])
    expect(pages).toBeGreaterThan(6)
    const text = pdfText(path)
    expect(text).toContain('Point number 299')
    expect(text).toMatch(new RegExp(`${pages} ?/ ?${pages}`))
    expect(text).toContain('[1:39:40]')
  })
})

describe('epub', () => {
  const long = Array.from({ length: 130 }, (_, nth) => ({
    start: nth * 20,
    end: nth * 20 + 5,
    text: 'Hello \u0000 & \ud800 goodbye.',
  }))
  testFull(
    'EPUBCheck accepts a meeting, silence in Arabic, and a long recording in an unknown language',
    async () => {
      const books = [
        await write('epub', meeting, 'epub'),
        await write('epub', transcriptOf([], { language: 'ar' }), 'epub'),
        await write('epub', transcriptOf(long, { language: 'no such' }), 'epub'),
      ]
      expect([...(await checkEpubs(...books)).values()]).toEqual([[], [], []])
    },
  )

  test('a book begins with its uncompressed media type, and is the same each time', async () => {
    const bytes = readFileSync(await write('epub', meeting, 'epub'))
    expect(bytes.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip')
    expect(bytes.readUInt16LE(8)).toBe(0)
    expect(bytes.equals(readFileSync(await write('epub', meeting, 'epub')))).toBe(true)
    const chapter = Buffer.from(unzipSync(bytes)['EPUB/chapter1.xhtml']!).toString()
    expect(chapter).toContain('<h1 id="h1">Weekly *meeting* &amp; &lt;plans&gt;</h1>')
    expect(chapter).toContain('<strong>[0:00:09]</strong> The website is nearly finished.')
  })
})

describe('word', () => {
  test('another reader finds the title, headings and text', async () => {
    const path = await write('docx', meeting, 'docx')
    const xml = Buffer.from(unzipSync(readFileSync(path))['word/document.xml']!).toString()
    expect(() => tool('xmllint', '--noout', '--nonet', extracted(path, 'word/document.xml'))).not.toThrow()
    expect(xml).toMatch(/<w:pStyle w:val="Heading1"\/>.*?Transcript/s)
    const text = flat(tool('pandoc', '-s', '-t', 'plain', '--wrap=none', path))
    expect(text).toContain(title)
    expect(text).toContain('[0:00:09] The website is nearly finished.')
    const many = flat(
      tool('pandoc', '-t', 'plain', '--wrap=none', await write('docx', manyLanguages, 'docx')),
    )
    for (const [, spoken] of languages) expect(many).toContain(spoken)
  })

  testFull(
    'an office program opens it',
    async () => {
      const path = await write('docx', meeting, 'docx')
      const [pdf = ''] = savedByLibreOffice('pdf', [path])
      expect(pdfText(pdf)).toContain('We need to order the new servers tomorrow.')
    },
    180_000,
  )
})

/** A file of a package, put beside it. */
function extracted(path: string, name: string): string {
  const target = join(folder, 'extracted.xml')
  writeFileSync(target, unzipSync(readFileSync(path))[name]!)
  return target
}

describe('text', () => {
  const written = async (format: 'txt' | 'md', transcript: Transcript) =>
    new TextDecoder().decode(await writeTranscript(format, transcript, { title }))

  test('plain text has only the words', async () => {
    const plain = await written('txt', meeting)
    expect(plain.split('\n\n')[1]).toBe(
      "The website is nearly finished. I'll send the final design to the customer by Friday.",
    )
    expect(plain).not.toContain('[0:')
  })

  test('a Markdown reader shows the spoken text', async () => {
    const spoken = '# 1. *Stars*, _lines_ & `code` [a](b) <i>tag</i> | ~x~ \\ end!'
    const transcript = transcriptOf([
      { start: 0, end: 2, text: spoken },
      { start: 10, end: 12, text: '- not a list' },
      { start: 20, end: 22, text: '2. not a number' },
    ])
    const path = join(folder, 'escaped.md')
    writeFileSync(path, await written('md', transcript))
    const read = flat(tool('pandoc', '-f', 'commonmark', '-t', 'plain', '--wrap=none', path))
    expect(read).toContain(`[0:00:00] ${spoken}`)
    expect(read).toContain('[0:00:10] - not a list')
    expect(read).toContain('[0:00:20] 2. not a number')
    expect(read).toContain(title)
  })

  test.each(['txt', 'md'] as const)('%s of a recording without speech says so', async format => {
    expect(await written(format, transcriptOf([]))).toContain('No speech was recognised in this recording.')
  })
})
