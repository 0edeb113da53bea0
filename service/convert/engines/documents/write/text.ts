/** Writes a document as plain text. */
import { latexOf } from '../maths/write-tex.ts'
import { type Block, type Document, type Inline, plainText, run } from '../model.ts'
import { formatNumber } from '../number-format.ts'
import { indented } from './markdown/text.ts'
import { numbersOf } from './notes.ts'

/** Paragraphs apart by an empty line, cells by tabs, formulas in LaTeX, notes at the end. */
export function writeText({ blocks, notes }: Document): string {
  const numbers = numbersOf(notes)
  const texts = (list: readonly Block[], gap = '\n\n') =>
    list
      .map(textOf)
      .filter(text => text !== '')
      .join(gap)

  function inline(content: readonly Inline[]): string {
    return content.map(partText).join('').trim()
  }

  function partText(part: Inline): string {
    switch (part.kind) {
      case 'break':
        return '\n'
      case 'note':
        return `[${numbers.get(part.key) ?? ''}]`
      case 'picture':
        return part.picture.description && `[${part.picture.description}]`
      case 'maths':
        return part.tex ?? latexOf(part.formula)
      case 'ruby': {
        const [open, close] = part.brackets ?? ['(', ')']
        return plainText(part.base) + (part.reading && open + part.reading + close)
      }
      case 'link':
      case 'reference':
        return part.content.map(partText).join('')
      default:
        return plainText([part])
    }
  }

  function textOf(block: Block): string {
    switch (block.kind) {
      case 'heading':
        return inline(block.content.map(part => (part.kind === 'break' ? run(' ') : part)))
      case 'paragraph':
        return inline(block.content)
      case 'code':
        return block.text
      case 'quote':
        return indented(texts(block.blocks), 2)
      case 'figure':
        return [texts(block.blocks), inline(block.caption)].filter(Boolean).join('\n\n')
      case 'details':
        return [inline(block.summary), texts(block.blocks)].filter(Boolean).join('\n\n')
      case 'rule':
        return '* * *'
      case 'list':
        return block.items
          .map((item, index) => {
            const mark = block.ordered ? `${formatNumber(block.start + index, block.format)}. ` : '- '
            return mark + indented(texts(item, block.isLoose ? '\n\n' : '\n'), 2).trimStart()
          })
          .join(block.isLoose ? '\n\n' : '\n')
      case 'definitions':
        return block.items
          .map(({ term, definitions }) =>
            [inline(term), ...definitions.map(each => indented(texts(each), 2))].filter(Boolean).join('\n'),
          )
          .join('\n\n')
      case 'table': {
        const rows = block.rows.map(({ cells }) =>
          cells
            .map(cell => texts(cell.blocks, ' ').replace(/\s+/g, ' '))
            .join('\t')
            .trimEnd(),
        )
        return [inline(block.caption ?? []), rows.join('\n')].filter(Boolean).join('\n\n')
      }
    }
  }

  const endnotes = [...notes].map(([key, list]) => `[${numbers.get(key)}] ${texts(list)}`)
  return `${[texts(blocks), ...endnotes].filter(Boolean).join('\n\n')}\n`
}
