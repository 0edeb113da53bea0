/** Writes a document as plain text. */
import { type ByKind, byKind } from '../../common/by-kind.ts'
import { latexOf } from '../equations/write-tex.ts'
import { type Block, type Document, type Inline, plainText, run } from '../model.ts'
import { formatNumber } from '../number-format.ts'
import { indented } from './markdown/text.ts'
import { numbersOf } from './notes.ts'

/** Paragraphs apart by an empty line, cells by tabs, formulas in LaTeX, notes at the end. */
export function writeText({ blocks, notes }: Document): string {
  const numbers = numbersOf(notes)
  const texts = (list: readonly Block[], gap = '\n\n'): string =>
    list
      .map(block => byKind(writers, block))
      .filter(text => text !== '')
      .join(gap)

  const inside = (content: readonly Inline[]): string => content.map(part => byKind(parts, part)).join('')
  const inline = (content: readonly Inline[]) => inside(content).trim()

  const parts: ByKind<Inline, string> = {
    text: ({ text }) => text,
    anchor: () => '',
    break: () => '\n',
    note: ({ key }) => `[${numbers.get(key) ?? ''}]`,
    picture: ({ picture: { description } }) => description && `[${description}]`,
    equation: ({ tex, formula }) => tex ?? latexOf(formula),
    ruby: ({ base, reading, brackets: [open, close] = ['(', ')'] }) =>
      plainText(base) + (reading && open + reading + close),
    link: ({ content }) => inside(content),
    reference: ({ content }) => inside(content),
  }

  const writers: ByKind<Block, string> = {
    heading: ({ content }) => inline(content.map(part => (part.kind === 'break' ? run(' ') : part))),
    paragraph: ({ content }) => inline(content),
    code: ({ text }) => text,
    quote: ({ blocks }) => indented(texts(blocks), 2),
    figure: ({ blocks, caption }) => [texts(blocks), inline(caption)].filter(Boolean).join('\n\n'),
    details: ({ summary, blocks }) => [inline(summary), texts(blocks)].filter(Boolean).join('\n\n'),
    rule: () => '* * *',
    list: ({ ordered, start, format, isLoose, items }) =>
      items
        .map((item, index) => {
          const mark = ordered ? `${formatNumber(start + index, format)}. ` : '- '
          return mark + indented(texts(item, isLoose ? '\n\n' : '\n'), 2).trimStart()
        })
        .join(isLoose ? '\n\n' : '\n'),
    definitions: ({ items }) =>
      items
        .map(({ term, definitions }) =>
          [inline(term), ...definitions.map(each => indented(texts(each), 2))].filter(Boolean).join('\n'),
        )
        .join('\n\n'),
    table: ({ rows, caption = [] }) => {
      const lines = rows.map(({ cells }) =>
        cells
          .map(cell => texts(cell.blocks, ' ').replace(/\s+/g, ' '))
          .join('\t')
          .trimEnd(),
      )
      return [inline(caption), lines.join('\n')].filter(Boolean).join('\n\n')
    },
  }

  const endnotes = [...notes].map(([key, list]) => `[${numbers.get(key)}] ${texts(list)}`)
  return `${[texts(blocks), ...endnotes].filter(Boolean).join('\n\n')}\n`
}
