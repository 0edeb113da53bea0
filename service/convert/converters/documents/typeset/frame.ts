import type { Document } from '../../../engines/documents/model.ts'
import { type FontName, fontList } from '../../../engines/documents/typst/fonts.ts'
import { literal } from '../../../engines/documents/typst/literal.ts'
import { factsOf } from '../../../engines/documents/write/typst/facts.ts'
import type { TypesetOptions } from './options.ts'

const papers = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
} as const
const POINTS_PER_MM = 72 / 25.4

/** Size of the text area, in points. */
export function textArea({ pageSize, landscape, margin }: TypesetOptions): {
  width: number
  height: number
} {
  const [short, long] = papers[pageSize]
  const [width, height] = landscape ? [long, short] : [short, long]
  return { width: (width - 2 * margin) * POINTS_PER_MM, height: (height - 2 * margin) * POINTS_PER_MM }
}

interface Theme {
  body: readonly FontName[]
  headings: readonly FontName[]
  justify: boolean
  numbering: string
}

const themes: Record<TypesetOptions['theme'], Theme> = {
  modern: { body: ['Arimo'], headings: ['Arimo'], justify: false, numbering: 'none' },
  classic: { body: ['Tinos'], headings: ['Tinos'], justify: true, numbering: 'none' },
  academic: {
    body: ['New Computer Modern', 'Tinos'],
    headings: ['New Computer Modern', 'Tinos'],
    justify: true,
    numbering: '"1.1"',
  },
}

/** What stands before the text: its facts, the styles of its elements, and its title. */
export function frameOf(document: Document, title: string, options: TypesetOptions): string {
  const { body, headings, justify, numbering } = themes[options.theme]
  const [short, long] = papers[options.pageSize]
  const [width, height] = options.landscape ? [long, short] : [short, long]
  return `${factsOf(document, title)}
#set page(width: ${width}mm, height: ${height}mm, margin: ${options.margin}mm${
    options.pageNumbers ? ', numbering: "1"' : ''
  })
#set text(font: ${fontList(...body)}, size: ${options.fontSize}pt, hyphenate: false)
#set par(justify: ${justify}, leading: 0.68em, spacing: 1.05em)
#set heading(numbering: ${numbering})
#show heading: set text(font: ${fontList(...headings)}, weight: "bold")
#show heading: set block(above: 1.5em, below: 0.8em)
#show heading.where(level: 1): set text(size: 1.45em)
#show heading.where(level: 2): set text(size: 1.2em)
#show heading.where(level: 3): set text(size: 1.05em)
#show link: set text(fill: rgb("#0b57d0"))
#show raw: set text(font: ${fontList('Cousine')}, size: 1.2em)
#set raw(tab-size: 4)
#show raw.where(block: false): it => text(size: 0.94em, highlight(fill: luma(238), extent: 1.5pt, radius: 2pt, it))
#show raw.where(block: true): it => block(fill: luma(246), inset: 8pt, radius: 4pt, width: 100%, {
  set par(justify: false, leading: 0.5em)
  set text(size: 0.88em, dir: ltr)
  it
})
#show quote.where(block: true): it => block(inset: (left: 10pt, rest: 4pt), stroke: (left: 2.5pt + luma(205)), width: 100%, {
  set text(fill: luma(70))
  it.body
})
#set table(stroke: 0.5pt + luma(190), inset: 6pt, fill: (_, row) => if row == 0 { luma(244) })
#show table: set par(justify: false)
#show table: set text(size: 0.94em)
#show figure: set block(breakable: true)
#show figure.where(kind: table): set align(start)
#show figure.where(kind: table): set figure.caption(position: top)
#show figure.caption: set text(fill: luma(70), size: 0.92em)
#set enum(full: false)
#set line(stroke: 0.6pt + luma(200))
#set footnote.entry(gap: 0.7em)
#show outline.entry: it => {
  let bare(part) = if part.func() == footnote { [] } else if part.has("children") { part.children.map(bare).join() } else { part }
  link(it.element.location(), it.indented(it.prefix(), bare(it.body()) + [ ] + box(width: 1fr, it.fill) + [ ] + it.page()))
}
${document.hasOwnTitle ? titleOf(document) : ''}
${options.toc ? '#block(below: 2.2em, width: 100%, { show link: set text(fill: black); outline(indent: 1.2em) })' : ''}
`
}

/** Title, authors and date above the text. */
function titleOf({ title, subtitle, authors, date }: Document): string {
  const lines = [
    `text(size: 1.9em, weight: "bold", ${literal(title)})`,
    ...(subtitle ? [`text(size: 1.2em, fill: luma(90), ${literal(subtitle)})`] : []),
    ...(authors.length > 0 ? [`text(${literal(authors.join(', '))})`] : []),
    ...(date ? [`text(fill: luma(90), ${literal(date)})`] : []),
  ]
  return `#block(below: 2em, width: 100%, { set par(justify: false, spacing: 0.8em); ${lines.map(line => `par(${line})`).join('; ')} })`
}
