/** Converts a web page to Word with its styles, as a book of one chapter. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { bodyOf, readXhtml } from '../../../engines/books/book/markup/document.ts'
import { authoredBook, type BookPicture } from '../../../engines/books/epub/write/author.ts'
import { canonicalLanguage } from '../../../engines/common/language/tag.ts'
import { textIn } from '../../../engines/common/text.ts'
import { findIn, textOf } from '../../../engines/common/xml/element.ts'
import { writeWord } from '../../../engines/documents/write/docx/word.ts'
import type { EncodingOption } from '../options.ts'

/** @throws JobFailure corrupt_input, too_large */
export async function convert(task: Task<EncodingOption>): Promise<Output[]> {
  const { input, folder } = task
  task.progress(0, 'preparing')
  const pictures: BookPicture[] = []
  const html = textIn(await readFile(input.path), task).replace(
    /data:(image\/[\w.+-]+);base64,([\w+/=%\s]+)/g,
    (_, mime: string, base64: string) => {
      const name = `picture${pictures.length + 1}`
      pictures.push({ name, mime, bytes: Buffer.from(decodeURIComponent(base64), 'base64') })
      return name
    },
  )
  const { root } = readXhtml(html)
  const { lang = '', dir = bodyOf(root).attributes.dir } = root.attributes
  const title = textOf(findIn(root, 'title')).replace(/\s+/g, ' ').trim() || input.stem
  const name = 'page'
  const book = authoredBook({
    title,
    language: canonicalLanguage(lang),
    rightToLeft: dir === 'rtl',
    identity: html,
    style: '',
    chapters: [{ name, title, body: '' }],
    contents: [],
    pictures,
  })
  const page = book.resources.get(`${name}.xhtml`)
  if (page) page.bytes = Buffer.from(html)
  const { bytes, lost } = await writeWord(book, {
    page: 'a4',
    contents: false,
    linksFiles: true,
  })
  if (lost.pictures > 0) task.warn(message('word.pictures_lost', { count: lost.pictures }))
  if (lost.formulas > 0) task.warn(message('books.formulas_lost', { count: lost.formulas }))
  const path = join(folder, 'document.docx')
  await writeFile(path, bytes)
  return [{ path }]
}
