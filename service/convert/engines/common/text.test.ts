import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { decodeText } from './text.ts'

const russian = 'Глава первая. Все счастливые семьи похожи друг на друга.'
const japanese = '<p>吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。</p>'

test.each([
  ['no label, Windows-1252', 'windows-1252', 'It’s “naïve”, €5 – Größe, cœur'],
  ['no label, Windows-1251', 'windows-1251', `# ${russian}`],
  ['no label, Shift-JIS', 'shift_jis', japanese],
  ['a label that browsers do not know', 'cp850', '<?xml version="1.0" encoding="cp850"?><a>Größe</a>'],
  [
    'the label of a style sheet',
    'windows-1250',
    '@charset "windows-1250"; p::before { content: "žluťoučký" }',
  ],
  ['the label of a page', 'euc-jp', `<meta charset="EUC-JP">${japanese}`],
  ['a tag in UTF-16 without a mark', 'utf-16le', `<a>${'名前はまだ無い'.repeat(50)}</a>`],
])('%s', (_, encoding, text) => {
  expect(decodeText(iconv.encode(text, encoding))).toBe(text)
})

test.each(['utf-16', 'iso-8859-1', 'shift_jis'])('UTF-8 is read as such when it is labelled %s', label => {
  const text = `<?xml version="1.0" encoding="${label}"?><a>Größe</a>`
  expect(decodeText(Buffer.from(text))).toBe(text)
})

test('a damaged letter does not change the encoding of the others', () => {
  const bytes = Buffer.from(russian)
  bytes[1] = 0x20
  expect(decodeText(bytes)).toContain('счастливые')
})
