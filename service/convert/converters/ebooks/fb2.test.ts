import { strToU8, zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { checkEpubs, readEpubs } from '../../../../testing/books.ts'
import { testFiles } from '../../../../testing/files.ts'
import { picture } from '../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../testing/fixtures/full.ts'

const files = testFiles('fb2')
const JOB = 'ebook.fb2-to-epub'

const bookOf = (pictures: string, encoding = 'utf-8') => `<?xml version="1.0" encoding="${encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><genre>prose</genre><author><first-name>Лев</first-name><last-name>Толстой</last-name></author>
<author><nickname>nick</nickname></author><book-title>Книга &amp; мир</book-title><annotation><p>О книге</p></annotation>
<coverpage><image l:href="#cover.jpg"/></coverpage><lang>ru</lang></title-info></description>
<body><title><p>Книга</p></title><epigraph><p>Эпиграф</p><text-author>Автор</text-author></epigraph>
<section><title><p>Часть</p><p>первая</p></title>
<section id="one"><title><p>Глава I</p></title><p>Слово<a l:href="#n1" type="note">[1]</a> <emphasis>курсив</emphasis> <a l:href="#two">дальше</a> <a l:href="#gone">никуда</a></p><empty-line/>
<poem><stanza><v>строка раз</v><v>строка два</v></stanza></poem><image l:href="#cover.jpg"/></section>
<section id="two"><title><p>Глава II</p></title><subtitle>* * *</subtitle><cite><p>цитата</p></cite>
<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table></section>
</section></body>
<body name="notes"><title><p>Сноски</p></title><section id="n1"><title><p>1</p></title><p>Текст сноски</p></section></body>
${pictures}</FictionBook>`

test('a FictionBook becomes a valid book with its chapters, notes, links and cover', async () => {
  const cover = (await picture(40, 60)).toString('base64')
  const text = bookOf(`<binary id="cover.jpg" content-type="image/jpeg">${cover}</binary>`)
  const { path, warnings } = await convertFile(JOB, files.write(Buffer.from(text), 'fb2'))
  expect(warnings).toEqual([])
  if (isFull) expect([...(await checkEpubs(path)).values()]).toEqual([[]])
  const [book] = readEpubs(path)
  expect(book!.words.join(' ')).toContain(
    'Книга Эпиграф Автор Часть первая Глава I Слово[1] курсив дальше никуда строка раз',
  )
  expect(book!.words.join(' ')).toContain('Текст сноски')
  expect(book!.contents.map(([depth, title]) => [depth, title])).toEqual([
    [0, 'Книга'],
    [1, 'Часть первая'],
    [2, 'Глава I'],
    [2, 'Глава II'],
  ])
  expect(book!.broken).toEqual([])
  const inText = book!.links.filter(({ from }) => !from.includes('nav'))
  expect(inText.map(({ text }) => text?.slice(0, 7))).toEqual(['[1]Текс', 'ГлаваII', '[1]курс'])
  const values = book!.metadata.map(({ value }) => value)
  expect(values).toEqual(
    expect.arrayContaining(['Книга & мир', 'Лев Толстой', 'nick', 'ru', 'prose', 'О книге']),
  )
})

test('a book in an older encoding, in a ZIP, with a damaged picture, loses only the picture', async () => {
  const text = bookOf('<binary id="cover.jpg" content-type="image/jpeg">AAAA</binary>', 'windows-1251')
  const packed = zipSync({ 'book.fb2': new Uint8Array(iconv.encode(text, 'windows-1251')) })
  const { path, warnings } = await convertFile(JOB, files.write(packed, 'fb2.zip'))
  expect(readEpubs(path)[0]!.words).toContain('цитата')
  expect(warnings).toHaveLength(1)
})

test('elements with names that every object has keep their content', async () => {
  const text = bookOf('').replace('строка раз', '<constructor>строка <toString>раз</toString></constructor>')
  const { path } = await convertFile(JOB, files.write(strToU8(text), 'fb2'))
  expect(readEpubs(path)[0]!.words.join(' ')).toContain('строка раз')
})

test.each([
  ['cut off', bookOf('').slice(0, 900)],
  ['another format', '<html><body>no</body></html>'],
])('a file that is %s fails as damaged', async (_, text) => {
  await expect(convertFile(JOB, files.write(strToU8(text), 'fb2'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})
