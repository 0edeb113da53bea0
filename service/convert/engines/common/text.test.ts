import { execFileSync } from 'node:child_process'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
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

/** Texts of the Universal Declaration of Human Rights, rows as of a table, and typed signs, in encodings of their countries. */
const unlabelled: [encodings: string, text: string][] = [
  [
    'cp1250 iso8859-2 cp852 mac-latin2',
    'Każdy człowiek ma prawo do życia, wolności i bezpieczeństwa swej osoby.',
  ],
  ['cp1250', 'Imię;Miasto;Kwota\nŁukasz Śliwiński;Poznań;8064\n'],
  [
    'cp1250 iso8859-2 cp852 mac-latin2',
    'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.',
  ],
  ['cp1250 cp852', 'Jméno;Město\nŽofie Dvořáková;Olomouc\nŠárka Veselá;České Budějovice\n'],
  ['cp1250 cp852', 'Minden személynek joga van az élethez, a szabadsághoz és a személyi biztonsághoz.'],
  ['cp1254 cp857', 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.'],
  ['cp1257 cp775 iso8859-13', 'Kiekvienas žmogus turi teisę į gyvybę, laisvę ir asmens neliečiamybę.'],
  ['cp1251 koi8-r cp866 mac-cyrillic iso8859-5', 'Каждый человек имеет право на жизнь и на свободу.'],
  [
    'cp1253 cp737 iso8859-7',
    'Κάθε άτομο έχει δικαίωμα στη ζωή, την ελευθερία και την προσωπική του ασφάλεια.',
  ],
  ['cp1255 cp862', 'כל אדם יש לו הזכות לחיים, לחרות ולבטחון אישי.'],
  ['cp1256 cp720', 'لكل فرد الحق في الحياة والحرية وسلامة شخصه.'],
  ['cp1258', 'Mọi người đều có quyền sống, tự do và an toàn cá nhân.'],
  ['cp932 euc-jp', 'すべて人は、生命、自由及び身体の安全に対する権利を有する。'],
  ['gb18030', '人人有权享有生命、自由和人身安全。'],
  ['big5', '任何人不得使為奴隸或奴役；一切形式的奴隸制度和奴隸買賣，均應予以禁止。'],
  ['cp949', '모든 사람은 생명과 신체의 자유와 안전에 대한 권리를 가진다.'],
  ['cp1252 cp850 mac-roman', 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Schöne Grüße'],
  ['cp1252 cp850 mac-roman', 'Tout individu a droit à la vie, à la liberté et à la sûreté de sa personne.'],
  ['cp1252', 'name,price\nWidget™,£5.00\nIt’s “so”,€7.50\n'],
  ['cp1252', 'The years 1914–1918 were hard… very hard'],
]

test('letters that stand as in words of a language name the encoding, and it is said to be a guess', () => {
  // Python encodes, so that the tables are not tested with themselves; Vietnamese in parts, as Windows types it.
  const script = `import json, sys, unicodedata as u
def parts(t):
    return ''.join(c if len(d := u.normalize('NFD', c)) < 2 or c.encode('cp1258', 'ignore') else
        next(b for b in (u.normalize('NFC', d[0] + d[1]) + d[2:], u.normalize('NFC', d[0] + d[2:]) + d[1]) if b.encode('cp1258', 'ignore').decode('cp1258') == b) for c in t)
print(json.dumps([[(parts(t) if e == 'cp1258' else t).encode(e).hex() for e in es.split()] for es, t in json.load(sys.stdin)]))`
  const printed = execFileSync('/usr/bin/python3', ['-IS', '-c', script], {
    input: JSON.stringify(unlabelled),
  }).toString()
  for (const [at, codes] of (JSON.parse(printed) as string[][]).entries()) {
    const [encodings = '', text = ''] = unlabelled[at]!
    for (const [which, hex] of codes.entries()) {
      let guesses = 0
      const read = decodeText(Buffer.from(hex, 'hex'), () => guesses++)
      expect([encodings.split(' ')[which], read]).toEqual([encodings.split(' ')[which], text])
      expect(guesses).toBe(1)
    }
  }
})

test('what is said to be UTF-8 and is not is read all the same', () => {
  const page = '<meta charset="utf-8"><p>Žofie Dvořáková, České Budějovice</p>'
  expect(decodeText(iconv.encode(page, 'windows-1250'))).toBe(page)
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

testFull('a stray byte anywhere in a text of ASCII leaves the rest of it', () => {
  for (let stray = 0x80; stray <= 0xff; stray++)
    for (const after of ['.w3.org', '9-27', '>', '<b>'])
      expect(decodeText(Buffer.from([0x3c, stray, ...Buffer.from(after)]))).toContain(after.slice(1))
})
