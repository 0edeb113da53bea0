/** Converts a PDF to slides: each page is its text, which can be edited, over a picture of all else. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeZip } from '../../../engines/books/epub/zip.ts'
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import { openPdf } from '../../../engines/pdf/content/document.ts'
import type { PdfPage } from '../../../engines/pdf/content/page.ts'
import type { PdfSlideOptions } from '../options.ts'
import { savedBy } from '../text/office.ts'
import { chosenPages, warnOfSource, warnOfUnread } from './chosen-pages.ts'
import { linesOf, type Word } from './layout/lines.ts'
import { PictureStore } from './layout/pictures.ts'
import { lookReader } from './layout/styles.ts'
import { segmentsOf } from './layout/table-runs.ts'

/** Pixels per inch of the pictures behind the text. */
const DPI = 150
/** What stands further apart than this share of the size is a text box of its own. */
const APART = 1.5
const NAMESPACES = ['office', 'style', 'text', 'draw', 'presentation', 'manifest']
  .map(
    name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
  )
  .join(' ')
const ATTRIBUTES =
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"'
const TYPE = 'application/vnd.oasis.opendocument.presentation'

/** @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if no page is chosen, and those of LibreOffice */
export async function convert(task: Task<PdfSlideOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { input, options, folder } = task
  using pdf = await openPdf(input.path, options.password)
  const chosen = chosenPages(pdf.pageCount, options.pages)
  warnOfSource(task, pdf, chosen)
  const slides = new Slides()
  for (const [position, index] of chosen.entries()) {
    task.progress((0.7 * position) / chosen.length, 'converting')
    using page = await pdf.page(index)
    if (page) await slides.add(page)
  }
  warnOfUnread(task, slides.count, chosen.length)
  const path = join(folder, 'slides.odp')
  await writeFile(path, await slides.file())
  return task.target === 'odp' ? [{ path }] : savedBy(task, 'odp', path)
}

/** A presentation (ISO/IEC 26300-3), whose slides are as large as its first page. */
class Slides {
  readonly #store = new PictureStore()
  readonly #lookOf = lookReader()
  readonly #styles = new Map<string, string>()
  readonly #pages: ((pictures: readonly string[]) => string)[] = []
  #size: { width: number; height: number } | undefined

  get count(): number {
    return this.#pages.length
  }

  async add(page: PdfPage): Promise<void> {
    const { width, height, text, vertical } = page.content
    this.#size ??= { width, height }
    const scale = Math.min(this.#size.width / width, this.#size.height / height)
    const place = (x: number, y: number, wide: number, high: number) =>
      `svg:x="${points(x * scale)}" svg:y="${points(y * scale)}" svg:width="${points(wide * scale)}" svg:height="${points(high * scale)}"`
    // Text in columns of letters stays a part of the picture.
    const words = vertical ? [] : text.filter(({ hidden }) => !hidden)
    if (words.length > 0) page.hideText()
    const picture = await this.#store.add(page.picture({ x: 0, y: 0, width, height }, DPI))
    const boxes = linesOf(words.map((word, order) => ({ ...word, order }))).flatMap(line =>
      segmentsOf(line, APART).map(part => ({ ...part, size: line.size })),
    )
    const texts = boxes.map(({ words: own, x, right, size }) => {
      const y = Math.min(...own.map(({ baseline }) => baseline)) - size * 0.8
      const spans = own.map((word, at) => this.#span(word, own[at - 1], scale))
      return `<draw:frame draw:style-name="box" ${place(x, y - size * 0.1, right - x, size * 1.2)}><draw:text-box><text:p>${spans.join('')}</text:p></draw:text-box></draw:frame>`
    })
    this.#pages.push(names => {
      const image = `<draw:frame draw:style-name="box" ${place(0, 0, width, height)}><draw:image xlink:href="${names[picture] ?? ''}" xlink:type="simple"/></draw:frame>`
      return `<draw:page draw:master-page-name="Default">${picture < 0 ? '' : image}${texts.join('')}</draw:page>`
    })
  }

  #span(word: Word, before: Word | undefined, scale: number): string {
    const { family, size, colour } = this.#lookOf(word)
    const look = `fo:font-family="${escapeXml(family)}" fo:font-size="${points(size * scale)}" fo:color="#${colour.toString(16).padStart(6, '0')}"${word.font.bold ? ' fo:font-weight="bold"' : ''}${word.font.italic ? ' fo:font-style="italic"' : ''}`
    const style = this.#styles.get(look) ?? `T${this.#styles.size}`
    this.#styles.set(look, style)
    const space = before && !word.joined ? ' ' : ''
    return `<text:span text:style-name="${style}">${space}${escapeXml(word.text)}</text:span>`
  }

  async file(): Promise<Buffer> {
    const pictures = await this.#store.finished()
    const names = pictures.map(({ type }, index) => `Pictures/${index}.${type}`)
    const { width, height } = this.#size!
    const texts = [...this.#styles].map(
      ([look, name]) =>
        `<style:style style:name="${name}" style:family="text"><style:text-properties ${look}/></style:style>`,
    )
    const box = `<style:style style:name="box" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none" fo:padding-left="0pt" fo:padding-right="0pt" fo:padding-top="0pt" fo:padding-bottom="0pt" draw:auto-grow-width="true" draw:auto-grow-height="true" fo:wrap-option="no-wrap"/></style:style>`
    const layout = `<style:page-layout style:name="page"><style:page-layout-properties fo:margin="0pt" fo:page-width="${points(width)}" fo:page-height="${points(height)}"/></style:page-layout>`
    const pages = this.#pages.map(page => page(names)).join('')
    const parts = {
      'content.xml': `<office:document-content ${NAMESPACES} ${ATTRIBUTES}><office:automatic-styles>${box}${texts.join('')}</office:automatic-styles><office:body><office:presentation>${pages}</office:presentation></office:body></office:document-content>`,
      'styles.xml': `<office:document-styles ${NAMESPACES} ${ATTRIBUTES}><office:automatic-styles>${layout}</office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="page"/></office:master-styles></office:document-styles>`,
    }
    const entry = (path: string, type: string) =>
      `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`
    const entries = [
      entry('/', TYPE),
      ...Object.keys(parts).map(name => entry(name, 'text/xml')),
      ...names.map(name => entry(name, name.endsWith('jpg') ? 'image/jpeg' : 'image/png')),
    ]
    const manifest = `<manifest:manifest ${NAMESPACES} manifest:version="1.3">${entries.join('')}</manifest:manifest>`
    return writeZip([
      { name: 'mimetype', content: Buffer.from(TYPE), stored: true },
      ...Object.entries({ ...parts, 'META-INF/manifest.xml': manifest }).map(([name, content]) => ({
        name,
        content: Buffer.from(content),
      })),
      ...pictures.map(({ data }, index) => ({ name: names[index]!, content: data, stored: true })),
    ])
  }
}

const points = (value: number) => `${value.toFixed(2)}pt`
