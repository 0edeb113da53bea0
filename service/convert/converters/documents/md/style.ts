import type { FrontMatter } from '../../../engines/documents/read/markdown/front-matter.ts'
import { type FontName, fontList, literal, textContent } from '../../../engines/documents/typst/index.ts'
import type { MarkdownOptions } from './options.ts'

const papers = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
} as const
const POINTS_PER_MM = 72 / 25.4

/** Size of the text area, in points. */
export function textArea({ pageSize, landscape, margin }: MarkdownOptions): {
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

const themes: Record<MarkdownOptions['theme'], Theme> = {
  modern: { body: ['Arimo'], headings: ['Arimo'], justify: false, numbering: 'none' },
  classic: { body: ['Tinos'], headings: ['Tinos'], justify: true, numbering: 'none' },
  academic: {
    body: ['New Computer Modern', 'Tinos'],
    headings: ['New Computer Modern', 'Tinos'],
    justify: true,
    numbering: '"1.1"',
  },
}

/** The Typst preamble: rules for the elements, and the functions that `set.ts` calls. */
export function preamble(
  options: MarkdownOptions,
  front: FrontMatter,
  title: string,
  rightToLeft: boolean,
): string {
  const { body, headings, justify, numbering } = themes[options.theme]
  const [short, long] = papers[options.pageSize]
  const [width, height] = options.landscape ? [long, short] : [short, long]
  const language = /^([a-z]{2,3})(?:[-_]([A-Za-z]{2}))?(?![a-zA-Z])/.exec(front.language ?? '')
  const date = dateOf(front.date)
  const list = (values: string[]) => `(${values.map(value => `${literal(value)},`).join(' ')})`
  return `
#set document(title: ${literal(title)}, author: ${list(front.authors)}, keywords: ${list(front.keywords)}${
    front.description ? `, description: ${literal(front.description)}` : ''
  }${date ? `, date: ${date}` : ''})
#set page(width: ${width}mm, height: ${height}mm, margin: ${options.margin}mm${
    options.pageNumbers ? ', numbering: "1"' : ''
  })
#set text(font: ${fontList(...body)}, size: ${options.fontSize}pt, lang: ${literal(language?.[1] ?? 'en')}, ${
    language?.[2] ? `region: ${literal(language[2])}, ` : ''
  }dir: ${rightToLeft ? 'rtl' : 'ltr'}, hyphenate: false)
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
#set enum(full: false)
#set footnote.entry(gap: 0.7em)
#let rule = line(length: 100%, stroke: 0.6pt + luma(200))
#let checkbox(on) = text(font: "DejaVu Sans", if on { "\\u{2611}" } else { "\\u{2610}" })
#let task(on) = box(width: 0pt, move(dx: -1.4em, checkbox(on)))
#let in-contents = state("in-contents", false)
#let heading-note(body) = context if not in-contents.get() { footnote(body) }
#let kbd(body) = box(stroke: 0.5pt + luma(160), fill: luma(248), radius: 2pt, inset: (x: 3pt), outset: (y: 2pt), text(font: ${fontList('Cousine')}, size: 0.88em, body))
#let code(body) = text(font: ${fontList('Cousine')}, size: 0.94em, highlight(fill: luma(238), extent: 1.5pt, radius: 2pt, body))
#let note(body) = text(fill: luma(110), style: "italic", size: 0.92em, body)
#let directed(direction, body) = block(width: 100%, { set text(dir: direction); set align(start); body })
#let alert(color, title, body) = block(inset: (left: 10pt, rest: 6pt), stroke: (left: 2.5pt + color), width: 100%, {
  block(below: 0.7em, text(fill: color, weight: "bold", title))
  body
})
`
}

/** Title, authors and date above the text. */
export function titleBlock({ title, subtitle, authors, date }: FrontMatter): string {
  if (!title) return ''
  const lines = [
    `text(size: 1.9em, weight: "bold", ${literal(title)})`,
    ...(subtitle ? [`text(size: 1.2em, fill: luma(90), ${literal(subtitle)})`] : []),
    ...(authors.length > 0 ? [`text(${literal(authors.join(', '))})`] : []),
    ...(date ? [`text(fill: luma(90), ${literal(date)})`] : []),
  ]
  return `#block(below: 2em, width: 100%, { set par(justify: false, spacing: 0.8em); ${lines.map(line => `par(${line})`).join('; ')} })\n\n`
}

/** A table of contents. Footnotes of headings are only shown at the headings themselves. */
export const contents = (heading: string): string =>
  `#block(below: 2.2em, width: 100%, { in-contents.update(true); show link: set text(fill: black); outline(title: [${textContent(heading)}], indent: 1.2em); in-contents.update(false) })\n\n`

function dateOf(date: string | undefined): string | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(date ?? '')
  if (!match) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const real = new Date(Date.UTC(year, month - 1, day))
  const isReal = year > 1600 && real.getUTCMonth() === month - 1 && real.getUTCDate() === day
  return isReal ? `datetime(year: ${year}, month: ${month}, day: ${day})` : undefined
}
