/** Writes a document read from a PDF as plain text. */
import { type Block, plainText, type TextDocument } from '../layout/model.ts'

/** Paragraphs apart by an empty line, cells by tabs, footnotes at the end. */
export function writePlain({ blocks, footnotes }: TextDocument): string {
  const notes = [...footnotes].map(([key, content]) => `[${key}] ${plainText(content).trim()}`)
  const parts = [...blocks.map(block => blockText(block)), ...notes]
  return `${parts.filter(text => text !== '').join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.content).trim()
    case 'code':
      return block.text
    case 'table':
      return block.rows
        .map(row =>
          row
            .map(cell =>
              plainText(cell?.content ?? [])
                .replace(/\s+/g, ' ')
                .trim(),
            )
            .join('\t')
            .trimEnd(),
        )
        .join('\n')
    case 'list':
      return block.items
        .map(({ content, blocks }, index) => {
          const mark = block.ordered ? `${block.start + index}. ` : '- '
          const inner = blocks.map(blockText).filter(text => text !== '')
          return [
            mark + plainText(content).trim(),
            ...inner.map(text => text.replace(/^(?=.)/gm, '  ')),
          ].join('\n')
        })
        .join('\n')
    case 'picture':
      return block.alternative
  }
}
