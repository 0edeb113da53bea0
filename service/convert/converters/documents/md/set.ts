import { directionOf } from '../../../engines/common/language/script.ts'
import type { FrontMatter } from '../../../engines/documents/read/markdown/front-matter.ts'
import type { Token } from '../../../engines/documents/read/markdown/parse.ts'
import { coverageOf, type Typeset, TypesetError, typeset } from '../../../engines/documents/typst/index.ts'
import { otherScriptOf } from '../../../engines/fonts/fontkit/scripts.ts'
import { setBlocks } from './blocks.ts'
import { Context, showable } from './context.ts'
import { anchorsOf } from './headings.ts'
import type { MarkdownOptions } from './options.ts'
import { type KnownPicture, picturesOf } from './pictures.ts'
import { contents, preamble, textArea, titleBlock } from './style.ts'

/** Matches content that is visible on a page. */
const VISIBLE = /#(?:"\s*[^\s"]|raw\(|math|box\(image|rule|note|table|task|checkbox)/

export interface SetDocument {
  pdf: Buffer
  /** Whether the text shows nothing, for example because it has only comments. */
  isBlank: boolean
  /** Number of letters that no font has, apart from those of scripts that no font has. */
  missingLetters: number
  lacking: readonly string[]
  /** Pictures that are not in the file or cannot be read. */
  /** Number of pictures that are not in the file, and of those that are but cannot be read. */
  lostPictures: number
  damagedPictures: number
}

/**
 * Sets a Markdown document as a PDF.
 * @param name the title if the document has none
 */
export async function setDocument(
  tokens: Token[],
  text: string,
  front: FrontMatter,
  options: MarkdownOptions,
  name: string,
): Promise<SetDocument> {
  const anchors = anchorsOf(tokens)
  const pictures = await picturesOf(tokens)
  const { files: fonts, missing, lacking, declaration, substitute } = await coverageOf(text)
  const rightToLeft = isMostlyRightToLeft(text)
  const title = front.title ?? anchors.firstTitle ?? name
  const { body, notes } = splitNotes(tokens)
  // The title is not set twice if the first heading repeats it.
  const heading = front.title === anchors.firstTitle ? { ...front, title: undefined } : front
  const unshowable = options.pdfa ? missing : new Set<string>()
  const show = (words: string) => showable(words, unshowable, substitute)
  const shown: FrontMatter = {
    ...heading,
    title: heading.title && show(heading.title),
    subtitle: heading.subtitle && show(heading.subtitle),
    date: heading.date && show(heading.date),
    authors: heading.authors.map(show),
  }
  const start =
    declaration +
    preamble(options, front, title, rightToLeft) +
    titleBlock(shown) +
    (options.toc && anchors.headings.size > 0 ? contents('Contents') : '')

  const given = {
    anchors,
    area: textArea(options),
    unshowable,
    substitute,
    notes,
  }
  const settings = { labels: anchors.headings, rightToLeft }
  const attempt = (
    sound: ReadonlyMap<string, KnownPicture | undefined>,
    badFormulas: ReadonlySet<string>,
  ) => {
    const context = new Context({ ...given, pictures: sound, badFormulas }, (note, own) =>
      setBlocks(note, own, { ...settings, labels: new Map() }),
    )
    const content = setBlocks(body, context, settings)
    const source = start + content
    const shown = [...sound.values()].filter(picture => picture !== undefined)
    const document = { source, fonts, pictures: shown, standard: options.pdfa ? 'a-2b' : undefined }
    return { context, document, isBlank: !VISIBLE.test(content) }
  }

  let { context, document, isBlank } = attempt(pictures, new Set())
  let pdf: Buffer
  try {
    pdf = typeset(document)
  } catch (error) {
    if (!(error instanceof TypesetError)) throw error
    // One formula or picture that Typst rejects must not fail the whole document.
    const badFormulas = refusedFormulas(context.formulas, document)
    const sound = new Map(
      [...pictures].map(([address, picture]) => [
        address,
        picture && isAccepted(picture, document) ? picture : undefined,
      ]),
    )
    ;({ context, document } = attempt(sound, badFormulas))
    pdf = typeset(document)
  }
  const lost = [...context.lostPictures]
  const damagedPictures = lost.filter(address => pictures.has(address)).length
  const lostPictures = lost.length - damagedPictures
  const missingLetters = [...missing].filter(letter => !otherScriptOf(letter.codePointAt(0)!)).length
  return { pdf, isBlank, missingLetters, lacking, lostPictures, damagedPictures }
}

/** Separates the text from the notes, which are returned by number. */
function splitNotes(tokens: Token[]): { body: Token[]; notes: Map<number, Token[]> } {
  const start = tokens.findIndex(token => token.type === 'footnote_block_open')
  const notes = new Map<number, Token[]>()
  if (start < 0) return { body: tokens, notes }
  let note: Token[] = []
  for (const token of tokens.slice(start)) {
    if (token.type === 'footnote_open') {
      note = []
      notes.set((token.meta as { id: number }).id, note)
    } else note.push(token)
  }
  return { body: tokens.slice(0, start), notes }
}

const works = (document: Typeset): boolean => {
  try {
    typeset(document)
    return true
  } catch (error) {
    if (error instanceof TypesetError) return false
    throw error
  }
}

/** Finds the formulas that Typst rejects, by bisection. */
function refusedFormulas(formulas: ReadonlyMap<string, string>, { fonts, standard }: Typeset): Set<string> {
  const refused = new Set<string>()
  const search = (some: [string, string][]) => {
    if (some.length === 0) return
    const source = some.map(([, maths]) => `#math.equation(block: true, $${maths}$);`).join('\n\n')
    if (works({ source, fonts, standard })) return
    const [only] = some
    if (some.length === 1) {
      refused.add(only![0])
      return
    }
    const middle = some.length >> 1
    search(some.slice(0, middle))
    search(some.slice(middle))
  }
  search([...formulas])
  return refused
}

const isAccepted = (picture: KnownPicture, { fonts, standard }: Typeset): boolean =>
  works({ source: `#image("${picture.path}")`, fonts, standard, pictures: [picture] })

/** Whether most lines of a document start with right-to-left letters. */
function isMostlyRightToLeft(text: string): boolean {
  const directions = text.slice(0, 200_000).split('\n').map(directionOf).filter(Boolean)
  return directions.filter(direction => direction === 'rtl').length > directions.length / 2
}
