/** Writes a document as plain text. */

import { readMaths } from '../maths/read-omml.ts'
import { latexOf } from '../maths/write-tex.ts'
import { type Block, type Inline, plainText, type WordDocument } from '../model.ts'

/** Paragraphs apart by an empty line, cells by tabs, formulas in LaTeX, notes at the end. */
export function writePlain({ blocks, notes }: WordDocument): string {
  const numbers = new Map([...notes.keys()].map((key, index) => [key, index + 1]))
  const texts = (list: readonly Block[], gap = '\n\n') =>
    list
      .map(textOf)
      .filter(text => text !== '')
      .join(gap)

  function inline(content: readonly Inline[]): string {
    return content
      .map(part => {
        if (part.kind === 'break') return '\n'
        if (part.kind === 'note') return `[${numbers.get(part.key) ?? ''}]`
        if (part.kind === 'picture') return part.picture.description
        if (part.kind === 'maths') return latexOf(readMaths(part.formula))
        return part.kind === 'link' || part.kind === 'reference' ? inline(part.content) : plainText([part])
      })
      .join('')
      .trim()
  }

  function textOf(block: Block): string {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return inline(block.content)
      case 'code':
        return block.text
      case 'quote':
        return indented(texts(block.blocks))
      case 'list':
        return block.items
          .map((item, index) => {
            const mark = block.ordered ? `${block.start + index}. ` : '- '
            return mark + indented(texts(item, '\n')).trimStart()
          })
          .join('\n')
      case 'table':
        return block.rows
          .map(({ cells }) =>
            cells
              .map(cell => texts(cell.blocks, ' ').replace(/\s+/g, ' '))
              .join('\t')
              .trimEnd(),
          )
          .join('\n')
    }
  }

  const endnotes = [...notes].map(([key, list]) => `[${numbers.get(key)}] ${texts(list)}`)
  return `${[texts(blocks), ...endnotes].join('\n\n')}\n`
}

const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')
