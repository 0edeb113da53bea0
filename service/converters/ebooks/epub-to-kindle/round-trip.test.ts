/** Books converted to Kindle and back keep their content. */
import { expect, test } from 'vitest'
import { type EpubContent, readEpubs } from '../../../test/books.ts'
import { convertFile } from '../../../test/convert.ts'
import { testFiles } from '../../../test/files.ts'
import { fixedBook, fullBook, oldBook, verticalBook } from '../../../test/sample-books.ts'

const files = testFiles('kindle-round-trip')
const books = { full: fullBook, epub2: oldBook, fixed: fixedBook, vertical: verticalBook }

const linkTexts = ({ links }: EpubContent) =>
  links.filter(({ from }) => !from.includes('nav.')).map(({ text }) => text)

test.each(Object.entries(books))('%s', async (_, make) => {
  const source = files.write(await make(), 'epub')
  const back: string[] = []
  for (const kind of ['azw3', 'mobi']) {
    const { path } = await convertFile(`ebook.epub-to-${kind}`, source)
    back.push((await convertFile(`ebook.${kind}-to-epub`, path)).path)
  }
  const [input, ...outputs] = readEpubs(source, ...back)
  expect(outputs.length).toBe(2)
  for (const output of outputs) {
    expect(output.words).toEqual(input!.words)
    expect(linkTexts(output)).toEqual(linkTexts(input!))
    expect(output.broken).toEqual([])
    expect(output.missing).toEqual([])
    expect(output.direction).toBe(input!.direction)
    for (const [index, [depth, title, text]] of input!.contents.entries()) {
      // A heading without a link gets that of its first entry.
      expect(output.contents[index]).toEqual([depth, title, text ?? expect.any(String)])
    }
  }
})
