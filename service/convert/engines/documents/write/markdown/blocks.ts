import { type ByKind, byKind } from '../../../common/by-kind.ts'
import { latexOf } from '../../equations/write-tex.ts'
import type { Given } from '../../format.ts'
import {
  type Block,
  blocksOf,
  type Document,
  type Inline,
  inlineOf,
  isTight,
  type List,
  type Table,
  type TableCell,
} from '../../model.ts'
import { anchorsOf, placeName, slugsOf } from '../anchors.ts'
import { type HtmlTarget, htmlOf } from '../html/blocks.ts'
import { numbersOf } from '../notes.ts'
import { inlineMarkdown, inPlace, type MarkdownScope } from './inline.ts'
import { codeBlock, codeSpan, escapeStart, indented, marked, withoutBlankEnds } from './text.ts'

/**
 * Writes a document in GitHub's Markdown (https://github.github.com/gfm/). Tables with merged cells, or with more than text or a line of code in their
 * cells, are written in HTML, which Markdown allows.
 */
export function writeMarkdown(
  document: Document,
  { address: pictureAddress }: Pick<Given, 'address'>,
): string {
  const anchors = anchorsOf(document)
  const slugs = slugsOf(anchors.all)
  const numbers = numbersOf(document.notes)
  const reference = (anchor: string) => {
    const heading = anchors.headings.get(anchor)
    return heading ? `#${slugs.get(heading) ?? ''}` : `#${placeName(anchor)}`
  }
  const isMarked = (anchor: string) => anchors.wanted.has(anchor) && !anchors.headings.has(anchor)
  const note = (key: string) => (numbers.has(key) ? `[^${numbers.get(key)}]` : '')
  const scope: MarkdownScope = {
    picture: pictureAddress,
    note,
    reference,
    isMarked,
    hasEquations: hasEquations(document),
  }
  const html: HtmlTarget = {
    picture: use => {
      const address = pictureAddress(use)
      const description = use.description.replace(/[&"<>]/g, sign => `&#${sign.charCodeAt(0)};`)
      return address ? `<img src="${address}" alt="${description}">` : ''
    },
    note,
    reference,
    anchor: anchor => (isMarked(anchor) ? placeName(anchor) : undefined),
    headingId: () => undefined,
    equation: latex => `$${latex.replaceAll('<', '\\lt ').replaceAll('>', '\\gt ')}$`,
    rightToLeft: document.rightToLeft,
  }
  const writer = new Writer(scope, html)
  const parts = [writer.blocks(document.blocks)]
  for (const [key, blocks] of document.notes) {
    const text = writer.blocks(blocks)
    parts.push(`[^${numbers.get(key)}]: ${indented(text, 4).trimStart()}`)
  }
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

class Writer {
  readonly #scope: MarkdownScope
  readonly #html: HtmlTarget

  constructor(scope: MarkdownScope, html: HtmlTarget) {
    this.#scope = scope
    this.#html = html
  }

  blocks(blocks: readonly Block[]): string {
    const parts: string[] = []
    for (const [at, block] of blocks.entries()) {
      const text = byKind(this.#writers, block)
      if (text === '') continue
      const before = blocks[at - 1]
      // Two adjacent lists of one kind would be read as one.
      const isSplit = block.kind === 'list' && before?.kind === 'list' && before.ordered === block.ordered
      parts.push(isSplit ? `<!-- -->\n\n${text}` : text)
    }
    return parts.join('\n\n')
  }

  readonly #writers: ByKind<Block, string> = {
    heading: ({ content, level }) => {
      const text = inlineMarkdown(content, this.#scope, 'heading')
      return text === '' ? '' : `${'#'.repeat(level)} ${text.replace(/#+$/, '\\$&')}`
    },
    paragraph: block => this.#paragraph(block),
    code: ({ text, language }) => codeBlock(withoutBlankEnds(text), language),
    quote: ({ blocks }) =>
      this.blocks(blocks)
        .replace(/^(?=.)/gm, '> ')
        .replace(/^$/gm, '>'),
    figure: ({ blocks, caption }) =>
      [this.blocks(blocks), this.#inline(caption)].filter(Boolean).join('\n\n'),
    details: ({ summary, blocks }) =>
      [this.#inline(summary), this.blocks(blocks)].filter(Boolean).join('\n\n'),
    rule: () => '---',
    definitions: block => this.#definitions(block),
    list: block => this.#list(block),
    table: ({ caption = [], ...table }) => {
      const isPlain = isPlainTable(table)
      const written = isPlain ? this.#table(table) : htmlOf([table], this.#html).replace(/\n+/g, '\n')
      return [this.#inline(caption), written].filter(Boolean).join('\n\n')
    },
  }

  #paragraph({ content, role }: Extract<Block, { kind: 'paragraph' }>): string {
    const shown = content.filter(
      part => part.kind !== 'anchor' && !(part.kind === 'text' && part.text.trim() === ''),
    )
    const formulas = shown.flatMap(part =>
      part.kind === 'equation' && part.display ? (part.tex ?? latexOf(part.formula)) : [],
    )
    if (shown.length > 0 && formulas.length === shown.length)
      return formulas.map(latex => `$$\n${latex}\n$$`).join('\n\n')
    const text = this.#inline(content)
    const isMarked = role !== 'text' && !/[*_]/.test(text) && !text.includes('\\\n') && text !== ''
    return isMarked ? `*${text}*` : text
  }

  #inline(content: readonly Inline[]): string {
    return escapeStart(inlineMarkdown(content, this.#scope, 'text'))
  }

  /** Terms in bold above what they mean, since GitHub knows no definitions. */
  #definitions({ items }: Extract<Block, { kind: 'definitions' }>): string {
    const written = items.map(({ term, definitions }) => {
      const text = this.#inline(term)
      const name = text === '' || /[*_`]/.test(text) || text.includes('\\\n') ? text : `**${text}**`
      const [first] = definitions[0] ?? []
      const beside = first?.kind === 'paragraph' ? '\\\n' : '\n\n'
      return [name, definitions.map(blocks => this.blocks(blocks)).join('\n\n')].filter(Boolean).join(beside)
    })
    return written.join('\n\n')
  }

  #list(list: List): string {
    const { ordered, start, items } = list
    const tight = isTight(list)
    const written = items.map(item => item.map(block => this.blocks([block])).join(tight ? '\n' : '\n\n'))
    return marked(written, index => (ordered ? `${start + index}. ` : '- '), tight)
  }

  #table({ rows }: Table): string {
    const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    const cell = ({ blocks }: TableCell) =>
      blocks
        .map(block =>
          block.kind === 'paragraph' || block.kind === 'heading'
            ? inlineMarkdown(block.content, this.#scope, 'cell')
            : block.kind === 'code'
              ? codeSpan(inPlace(block.text, 'cell'))
              : '',
        )
        .filter(Boolean)
        .join('<br>')
    const line = (texts: string[]) =>
      `| ${Array.from({ length: columns }, (_, at) => texts[at] ?? '').join(' | ')} |`
    const written = rows.map(row => row.cells.map(cell))
    // A table without a header has an empty one, as pandoc and GitHub's editor write it.
    const [head = [], ...body] = rows[0]?.isHeader ? written : [[], ...written]
    const rule = Array.from(
      { length: columns },
      (_, at) => ({ center: ':-:', right: '--:' })[alignmentOf(rows, at)] ?? '---',
    )
    return [line(head.map(unbold)), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n')
  }
}

/** The headers of a table are bold anyway. */
const unbold = (text: string) => text.replace(/^\*\*((?:[^*]|\\\*)+)\*\*$/, '$1')

/** The common alignment of all cells of a column below its header, if there is one. */
function alignmentOf(rows: Table['rows'], column: number): string {
  const aligned = rows.slice(1).map(({ cells }) => {
    const cell = cells[column]
    const [first] = cell?.blocks ?? []
    return first?.kind === 'paragraph' ? (cell?.align ?? first.align ?? '') : undefined
  })
  const alignments = new Set(aligned.filter(align => align !== undefined))
  return alignments.size === 1 ? ([...alignments][0] ?? '') : ''
}

const isPlainTable = ({ rows }: Table) =>
  rows.every(({ cells }) =>
    cells.every(
      ({ columns, rows: height, blocks }) =>
        columns === 1 &&
        height === 1 &&
        blocks.every(
          block =>
            block.kind === 'paragraph' ||
            block.kind === 'heading' ||
            (block.kind === 'code' && !block.text.includes('\n')),
        ),
    ),
  )

const hasEquations = (document: Document): boolean =>
  blocksOf(document).some(block => inlineOf(block).some(part => part.kind === 'equation'))
