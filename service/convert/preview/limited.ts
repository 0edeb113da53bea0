/** Chooses what of a file is converted for a preview. */
import type { Converter } from '../catalogue/converter.ts'
import { withDefaults } from '../catalogue/options.ts'
import type { Excerpt, Options, TaskInput } from '../catalogue/task.ts'
import { chosenPages } from '../converters/documents/pdf/chosen-pages.ts'
import { openPdf } from '../engines/pdf/pdfium/document.ts'

const all = (options: Options): Excerpt => ({ options, whole: bytes => bytes, isPart: false })

/**
 * What is converted for a preview: the part that the converter chooses, a page of a PDF, otherwise the whole file.
 * @throws JobFailure
 */
export async function limitedTo(converter: Converter, input: TaskInput, options: Options): Promise<Excerpt> {
  if (converter.part) return (await converter.part()).partOf(input, withDefaults(converter.options, options))
  if ('pages' in converter.options && converter.category !== 'images')
    return onePage(converter, input, options)
  return all(options)
}

async function onePage(converter: Converter, input: TaskInput, options: Options): Promise<Excerpt> {
  const chosen = typeof options.pages === 'string' ? options.pages : 'all'
  const isPicture = converter.target === 'jpg' || converter.target === 'png'
  if (input.format !== 'pdf') {
    // The first page of the first range; the number of pages is only known once the document is laid out.
    const first = /^\d+/.exec(chosen)?.[0] ?? '1'
    if (!isPicture) return all(options)
    return { options: { ...options, pages: first }, whole: () => null, isPart: true }
  }
  const password = typeof options.password === 'string' ? options.password : undefined
  using pdf = await openPdf(input.path, password)
  const pages = chosenPages(pdf.pageCount, chosen)
  const [page = 0] = pages
  if (pages.length === 1) return { ...all(options), page }
  return {
    options: { ...options, pages: String(page + 1) },
    whole: bytes => bytes * pages.length,
    isPart: true,
    page,
  }
}
