/** Sets a text document as PDF. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { type Document, isEmpty, type PictureUse, picturesIn } from '../../../engines/documents/model.ts'
import { isInside, withNames } from '../../../engines/documents/pictures/named.ts'
import { isTagged, type Typeset, TypesetError, typeset } from '../../../engines/documents/typst/compiler.ts'
import { coverageOf } from '../../../engines/documents/typst/fonts.ts'
import { typstWriter } from '../../../engines/documents/write/typst/markup.ts'
import { otherScriptOf } from '../../../engines/fonts/fontkit/scripts.ts'
import { warnOfScripts } from '../scripts.ts'
import { dumped } from '../text/dump.ts'
import { documentIn } from '../text/work.ts'
import { frameOf, textArea } from './frame.ts'
import type { TypesetOptions } from './options.ts'
import type { KnownPicture } from './pictures.ts'

/** @throws JobFailure corrupt_input, too_large, unsupported_input, and those of the reader */
export async function convert(task: Task<TypesetOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  return typesetText(task, await documentIn(task))
}

/** @throws JobFailure corrupt_input, unsupported_input */
export async function typesetText(task: Task<TypesetOptions>, read: Document): Promise<Output[]> {
  const { input, options, warn } = task
  if (isEmpty(read.blocks) && !read.hasOwnTitle)
    throw new JobFailure('jobs.corrupt_input', message('markdown.empty'))
  task.progress(0.3, 'converting')
  const document = await dumped(read, input.stem)
  const hasPictures = picturesIn(document).some(({ source }) => 'file' in source)
  const pictures: Pictures = hasPictures
    ? await (await import('./pictures.ts')).picturesOf(document)
    : new Map()
  const pdf = await pdfOf(document, pictures, input.stem, options, warn).catch((error: unknown) => {
    if (!(error instanceof TypesetError)) throw error
    throw new JobFailure('jobs.unsupported_input', message('markdown.cannot_be_set'), { cause: error })
  })
  const path = join(task.folder, 'document.pdf')
  await writeFile(path, pdf)
  const { rebuild, pdfa } = options
  if (!rebuild) return [{ path }]
  const { rebuilt } = await import('../pdf/rebuilt.ts')
  return [{ path: await rebuilt(task, path, { standard: pdfa ? '2b' : undefined }) }]
}

type Pictures = ReadonlyMap<string, KnownPicture | undefined>

async function pdfOf(
  document: Document,
  pictures: Pictures,
  fileName: string,
  options: TypesetOptions,
  warn: Task['warn'],
): Promise<Buffer> {
  let show = (text: string) => text
  /** Writes the document with those of its pictures and formulas that Typst takes. */
  const write = (sound: Pictures, refused: ReadonlySet<string>) => {
    const formulas = new Map<string, string>()
    const knownOf = ({ source }: PictureUse) => ('file' in source ? sound.get(source.file) : undefined)
    const { document: named } = withNames(document, use => knownOf(use) !== undefined)
    const writer = typstWriter(whole => ({
      text: text => show(text.replace(LONG_WORD, word => word.replace(/.{20}/gu, '$&\u200b'))),
      code: text => show(text.replace(LONG_CODE, word => word.replace(/.{35}/gu, '$&\u200b'))),
      width: use => widthOf(use, knownOf(use)!, options),
      isSpoken: true,
      formula: (tex, typst) => !refused.has(tex) && !!formulas.set(tex, typst),
      frame: title => frameOf(shown(whole, show), show(title), options),
    }))
    const given = { fileName, date: new Date(), file: () => undefined }
    const source = writer(named, { ...given, address: use => knownOf(use)?.path }) as string
    return { source, formulas, pictures: [...sound.values()].filter(picture => picture !== undefined) }
  }

  let written = write(pictures, new Set())
  const { files: fonts, missing, lacking, declaration, substitute } = await coverageOf(written.source)
  if (options.pdfa && missing.size > 0) {
    show = text => [...text].map(letter => (missing.has(letter) ? substitute : letter)).join('')
    written = write(pictures, new Set())
  }
  const undescribed = picturesIn(document).filter(
    use => !use.description && 'file' in use.source && pictures.get(use.source.file),
  ).length
  const isAccessible = !options.pdfa && missing.size === 0 && undescribed === 0
  let standard = options.pdfa ? 'a-2b' : isAccessible && isTagged(written.source) ? 'ua-1' : undefined
  const set = (part: Pick<Typeset, 'source' | 'pictures'>) =>
    typeset({ fonts, standard, ...part, source: declaration + part.source })
  const setAccessible = (part: Parameters<typeof set>[0]) => {
    try {
      return set(part)
    } catch (error) {
      if (!(error instanceof TypesetError && error.message.includes('PDF/UA'))) throw error
      standard = undefined
      if (options.accessible) warn(message('markdown.not_accessible'))
      return set(part)
    }
  }

  let sound = pictures
  let pdf: Buffer
  try {
    pdf = setAccessible(written)
  } catch (error) {
    if (!(error instanceof TypesetError)) throw error
    const works = (part: Parameters<typeof set>[0]) => {
      try {
        return set(part).length > 0
      } catch (error) {
        if (error instanceof TypesetError) return false
        throw error
      }
    }
    // One formula or picture that Typst rejects must not fail the whole document.
    const refused = refusedOf([...written.formulas], some =>
      works({
        source: some
          .map(([, equation]) => `#math.equation(block: true, alt: "x", $${equation}$);`)
          .join('\n\n'),
      }),
    )
    sound = new Map(
      [...pictures].map(([file, picture]) => [
        file,
        picture && works({ source: `#image("${picture.path}", alt: "x")`, pictures: [picture] })
          ? picture
          : undefined,
      ]),
    )
    pdf = setAccessible(write(sound, new Set(refused.map(([tex]) => tex))))
  }
  const lost = withNames(document, isInside).lost
  const damaged = [...sound.values()].filter(picture => !picture).length
  const missingLetters = [...missing].filter(letter => !otherScriptOf(letter.codePointAt(0)!)).length
  if (lost > 0) warn(message('markdown.pictures_left_out', { count: lost }))
  if (damaged > 0) warn(message('markdown.pictures_damaged', { count: damaged }))
  warnOfScripts({ warn }, lacking)
  if (missingLetters > 0) warn(message('markdown.letters_missing', { count: missingLetters }))
  if (undescribed > 0 && options.accessible)
    warn(message('markdown.pictures_undescribed', { count: undescribed }))
  if (!isTagged(written.source)) warn(message('markdown.not_tagged'))
  return pdf
}

/** Longer words may break anywhere, since they would overflow the page. */
const LONG_WORD = /[^\s\u200b]{60,}/g
const LONG_CODE = /[^\s\u200b]{70,}/g

/** The parts that do not work, by bisection. */
function refusedOf<Part>(parts: readonly Part[], works: (parts: readonly Part[]) => boolean): Part[] {
  if (parts.length === 0 || works(parts)) return []
  if (parts.length === 1) return [...parts]
  const middle = parts.length >> 1
  return [...refusedOf(parts.slice(0, middle), works), ...refusedOf(parts.slice(middle), works)]
}

const shown = (document: Document, show: (text: string) => string): Document => ({
  ...document,
  title: show(document.title),
  subtitle: document.subtitle && show(document.subtitle),
  date: document.date && show(document.date),
  authors: document.authors.map(show),
})

/** A picture in the size that the document asks for, or its own, reduced to fit. */
function widthOf(use: PictureUse, picture: KnownPicture, options: TypesetOptions): string {
  const room = textArea(options)
  const scale = Math.min((use.width || picture.width) / picture.width, (room.height * 0.9) / picture.height)
  const width = picture.width * scale
  // A wide picture fills its container, which may be narrower than the page.
  return width > room.width * 0.6
    ? `${Math.min(100, (width / room.width) * 100).toFixed(1)}%`
    : `${Math.max(1, width).toFixed(1)}pt`
}
