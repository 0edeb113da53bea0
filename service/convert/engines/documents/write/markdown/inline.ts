import { type ByKind, byKind } from '../../../common/by-kind.ts'
import { latexOf } from '../../equations/write-tex.ts'
import { type Inline, type Marks, type PictureUse, run } from '../../model.ts'
import { placeName } from '../anchors.ts'
import { rubyOf } from '../html/blocks.ts'
import { codeSpan, escapeText, linkTarget } from './text.ts'

/** What inline Markdown needs to know about the document around it. */
export interface MarkdownScope {
  /** Address of a picture; undefined for one that is left out. */
  picture(use: PictureUse): string | undefined
  note(key: string): string
  reference(anchor: string): string | undefined
  /** Whether links lead to this place, which is not in a heading. */
  isMarked(anchor: string): boolean
  /** Whether dollar signs have a special meaning. */
  hasEquations: boolean
}

/** Where a line is: table cells and headings cannot have line breaks. */
export type LineKind = 'text' | 'cell' | 'heading'

type Sign = [keyof Marks, open: string, close: string]

const signs: Sign[] = [
  ['underline', '<u>', '</u>'],
  ['bold', '**', '**'],
  ['italic', '*', '*'],
  ['strike', '~~', '~~'],
  ['superscript', '<sup>', '</sup>'],
  ['subscript', '<sub>', '</sub>'],
  ['highlight', '<mark>', '</mark>'],
]

/** Inline text in GitHub's Markdown. */
export function inlineMarkdown(content: readonly Inline[], scope: MarkdownScope, place: LineKind): string {
  let out = ''
  let open: Sign[] = []
  const pieces = spaced(content)
  /** Closes and opens marks until exactly those of `marks` are open. */
  const change = (marks: Marks, at = 0) => {
    // Nothing else can be marked within code, but code can be raised or lowered.
    const wanted = signs.filter(
      ([mark]) => marks[mark] && (!marks.code || mark === 'superscript' || mark === 'subscript'),
    )
    let same = 0
    while (same < open.length && wanted.some(([mark]) => mark === open[same]![0])) same++
    for (const [, , close] of open.slice(same).reverse()) out += close
    open = open.slice(0, same)
    for (const sign of wanted) {
      if (open.some(([mark]) => mark === sign[0])) continue
      const own = tagFor(sign, pieces, at)
      out += own[1]
      open.push(own)
    }
  }
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== 'text') {
      if (piece.kind !== 'anchor') change({})
      out += byKind(PARTS, piece, scope, place)
      continue
    }
    change(piece.marks, at)
    out += piece.marks.code ? codeSpan(inPlace(piece.text, place)) : plain(piece.text, scope, place)
  }
  change({})
  // A space that does not break keeps its cell from being empty.
  return place === 'cell' ? out.replace(/^[ \n]+|[ \n]+$/g, '') : out.trim()
}

const TAGS: Partial<Record<keyof Marks, string>> = { bold: 'strong', italic: 'em', strike: 'del' }
const WORD = /[\p{L}\p{N}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** Asterisks between a letter and punctuation would be literal, so a tag takes their place: https://spec.commonmark.org/0.31.2/#delimiter-run */
function tagFor(sign: Sign, pieces: readonly Inline[], at: number): Sign {
  const tag = TAGS[sign[0]]
  if (!tag) return sign
  let end = at
  const isMarked = (part: Inline | undefined) =>
    part?.kind === 'text' && part.marks[sign[0]] && !part.marks.code
  while (isMarked(pieces[end + 1])) end++
  const last = (part: Inline | undefined) => (part?.kind === 'text' ? ([...part.text].at(-1) ?? '') : '')
  const first = (part: Inline | undefined) => (part?.kind === 'text' ? ([...part.text][0] ?? '') : '')
  const opens = !(PUNCTUATION.test(first(pieces[at])) && WORD.test(last(pieces[at - 1])))
  const closes = !(PUNCTUATION.test(last(pieces[end])) && WORD.test(first(pieces[end + 1])))
  return opens && closes ? sign : [sign[0], `<${tag}>`, `</${tag}>`]
}

/** Moves spaces at the ends of marked text out of the marks, which would otherwise not be recognised. */
export function spaced(content: readonly Inline[]): Inline[] {
  const pieces = content.flatMap((part): Inline[] => {
    if (part.kind !== 'text') return [part]
    const text = part.text.replace(/(?<![\t \u00a0])[\t \u00a0]*\n[\t \n]*|[\t ]+/g, ' ')
    const [, before = '', core = '', after = ''] = /^( ?)(.*?)( ?)$/s.exec(text) ?? []
    if (core === '') return text === '' ? [] : [run(' ')]
    const space = (some: string): Inline[] => (some === '' ? [] : [run(some)])
    return [...space(before), { ...part, text: core }, ...space(after)]
  })
  for (const [at, piece] of pieces.entries()) {
    const [before, after] = [pieces[at - 1], pieces[at + 1]]
    if (
      piece.kind !== 'text' ||
      piece.text.trim() !== '' ||
      before?.kind !== 'text' ||
      after?.kind !== 'text'
    )
      continue
    const shared = (Object.keys(before.marks) as (keyof Marks)[]).filter(
      mark => mark !== 'code' && after.marks[mark],
    )
    piece.marks = Object.fromEntries(shared.map(mark => [mark, true]))
  }
  return pieces
}

/** Parts of a line other than text. */
const PARTS: ByKind<Exclude<Inline, { kind: 'text' }>, string, [scope: MarkdownScope, place: LineKind]> = {
  break: (_part, _scope, place) => (place === 'cell' ? '<br>' : place === 'heading' ? ' ' : '\\\n'),
  link: ({ content, address }, scope, place) => link(content, address, scope, place),
  reference: ({ anchor, content }, scope, place) => {
    const address = scope.reference(anchor)
    return address
      ? link(content, address, scope, place)
      : apart(content, inlineMarkdown(content, scope, place))
  },
  anchor: ({ name }, scope) => (scope.isMarked(name) ? `<a id="${placeName(name)}"></a>` : ''),
  note: ({ key }, scope) => scope.note(key),
  picture: ({ picture }, scope, place) => {
    const address = scope.picture(picture)
    const description = picture.description.replace(/[\\[\]]/g, '\\$&')
    return address ? `![${inPlace(description, place)}](${linkTarget(address)})` : ''
  },
  equation: ({ tex, formula, display }, _, place) => {
    const latex = tex ?? latexOf(formula)
    const safe = place === 'cell' ? latex.replaceAll('|', '\\vert ') : latex
    return display && place === 'text' ? `$$${safe}$$` : `$${safe}$`
  },
  ruby: (part, scope, place) => rubyOf(part, inlineMarkdown(part.base, scope, place)),
}

function link(content: readonly Inline[], address: string, scope: MarkdownScope, place: LineKind): string {
  const text = inlineMarkdown(content, scope, place)
  return apart(content, text && `[${text}](${linkTarget(address)})`)
}

/** Written content with the spaces at its ends, which would be lost within a link. */
export function apart(content: readonly Inline[], written: string): string {
  const [first, last] = [content[0], content.at(-1)]
  const before = first?.kind === 'text' && /^\s/.test(first.text) ? ' ' : ''
  const after = last?.kind === 'text' && /\s$/.test(last.text) ? ' ' : ''
  return written === '' ? before || after : before + written + after
}

/** Escapes text, so that its characters have no special meaning. */
function plain(text: string, { hasEquations }: MarkdownScope, place: LineKind): string {
  const escaped = escapeText(text)
  return inPlace(hasEquations ? escaped.replaceAll('$', '\\$') : escaped, place)
}

/** In a cell of a table, a bar would end it. */
export const inPlace = (text: string, place: LineKind): string =>
  place === 'cell' ? text.replaceAll('|', '\\|') : text
