/** Writes a document as GitHub-flavoured Markdown; https://github.github.com/gfm/ */
import {
  codeBlock,
  codeSpan,
  escapeStart,
  escapeText,
  linkTarget,
} from '../../../../engines/documents/write/markdown/text.ts'
import {
  type Block,
  type List,
  plainText,
  type Span,
  type Table,
  type TextDocument,
} from '../layout/model.ts'

/** @param pictureName the address of a picture; if undefined, pictures are left out */
export function writeMarkdown(
  { blocks, footnotes }: TextDocument,
  pictureName: (picture: number) => string | undefined,
): string {
  const parts = blocks.flatMap(block => blockText(block, pictureName) ?? [])
  for (const [key, content] of footnotes) parts.push(`[^${key}]: ${inline(content)}`)
  return `${parts.join('\n\n')}\n`
}

type PictureName = (picture: number) => string | undefined

function blockText(block: Block, pictureName: PictureName): string | null {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${inline(block.content).replace(/#+$/, end => `\\${end}`)}`
    case 'paragraph':
      return escapeStart(inline(block.content))
    case 'list':
      return listText(block, pictureName)
    case 'table':
      return tableText(block)
    case 'code':
      return codeBlock(block.text)
    case 'picture': {
      const name = pictureName(block.picture)
      return name === undefined ? null : `![${escapeText(block.alternative)}](${linkTarget(name)})`
    }
  }
}

function listText({ ordered, start, items }: List, pictureName: PictureName): string {
  const loose = items.some(({ blocks }) => blocks.some(block => block.kind !== 'list'))
  const lines = items.map(({ content, blocks }, index) => {
    const mark = ordered ? `${start + index}. ` : '- '
    const indent = ' '.repeat(mark.length)
    const inner = blocks.flatMap(block => {
      const text = blockText(block, pictureName)
      return text === null ? [] : [{ text, tight: block.kind === 'list' && !loose }]
    })
    const own = escapeStart(inline(content))
    const rest = inner.map(({ text, tight }) => `${tight ? '\n' : '\n\n'}${text.replace(/^(?=.)/gm, indent)}`)
    return `${mark}${own}${rest.join('')}`
  })
  return lines.join(loose ? '\n\n' : '\n')
}

/** A Markdown table always has one header row; a merged cell is written to its first place. */
function tableText({ rows, headerRows }: Table): string {
  const width = Math.max(...rows.map(row => row.length))
  const cells = rows.map((row, at) =>
    Array.from({ length: width }, (_, column) =>
      inline(at < Math.max(1, headerRows) ? regular(row[column]?.content) : (row[column]?.content ?? []))
        .replaceAll('|', '\\|')
        .replaceAll('\n', ' '),
    ),
  )
  const [header, ...body] =
    headerRows > 1 ? [joined(cells.slice(0, headerRows)), ...cells.slice(headerRows)] : cells
  const line = (row: string[]) => `| ${row.join(' | ')} |`
  return [line(header!), line(header!.map(() => '---')), ...body.map(line)].join('\n')
}

/** Headers are bold anyway. */
const regular = (content: readonly Span[] = []): Span[] => content.map(({ bold: _bold, ...span }) => span)

const joined = (rows: string[][]) =>
  rows[0]!.map((_, column) =>
    rows
      .map(row => row[column])
      .filter(Boolean)
      .join(' '),
  )

/** Formatted text; GFM can only write superscript and subscript as HTML. */
function inline(content: readonly Span[]): string {
  let text = ''
  for (let index = 0; index < content.length; ) {
    const { link } = content[index]!
    let end = index + 1
    while (link !== undefined && content[end]?.link === link) end += 1
    const spans = content.slice(index, end)
    const inner = spans
      .map((span, at) => spanText(span, content[index + at - 1], content[index + at + 1]))
      .join('')
    text += link === undefined ? inner : linked(inner, plainText(spans), link)
    index = end
  }
  return text.trim()
}

function linked(inner: string, plain: string, link: string): string {
  const [, before, text, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner)!
  if (text === '') return inner
  if (plain.trim() === link && /^https?:/i.test(link) && !/[\s<>]/.test(link))
    return `${before}<${link}>${after}`
  return `${before}[${text}](${linkTarget(link)})${after}`
}

function spanText(span: Span, before: Span | undefined, after: Span | undefined): string {
  if (span.footnote !== undefined) return `[^${span.footnote}]`
  const [, start, text, end] = /^(\s*)([\s\S]*?)(\s*)$/.exec(span.text)!
  if (!text) return span.text
  let marked = span.code ? codeSpan(text) : escapeText(text)
  if (span.superscript) marked = `<sup>${marked}</sup>`
  if (span.subscript) marked = `<sub>${marked}</sub>`
  const outer = [
    start === '' ? (before?.text.at(-1) ?? ' ') : ' ',
    end === '' ? (after?.text.at(0) ?? ' ') : ' ',
  ] as const
  if (span.italic && !span.code) marked = emphasised(marked, '*', 'em', text, outer)
  if (span.bold) marked = emphasised(marked, '**', 'strong', text, outer)
  return `${start}${marked}${end}`
}

const WORD = /[\p{L}\p{N}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** Asterisks between a letter and a punctuation mark would be literal; https://spec.commonmark.org/0.31.2/#delimiter-run */
function emphasised(
  marked: string,
  mark: string,
  tag: string,
  text: string,
  [before, after]: readonly [string, string],
): string {
  const opens = !(PUNCTUATION.test(text[0]!) && WORD.test(before))
  const closes = !(PUNCTUATION.test(text.at(-1)!) && WORD.test(after))
  const apart = before !== '*' && after !== '*'
  return opens && closes && apart ? `${mark}${marked}${mark}` : `<${tag}>${marked}</${tag}>`
}
