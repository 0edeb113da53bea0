import { directionOf } from '../../../engines/common/language/script.ts'
import { attribute, type Token } from '../../../engines/documents/read/markdown/parse.ts'
import { literal } from '../../../engines/documents/typst/index.ts'
import type { Context } from './context.ts'
import { plainText } from './headings.ts'
import { setHtmlBlock } from './html-block.ts'
import { setInline, setMaths } from './inline.ts'

export interface BlockSettings {
  /** Labels of headings. */
  labels: ReadonlyMap<Token, string>
  rightToLeft: boolean
}

/** Deeper quotes and lists stay at this depth: Typst limits how deep layouts may nest. */
const MAX_DEPTH = 9
/** Maximum length of highlighted code in total; more takes too long. */
const MAX_COLOURED = 400_000

/** Tables with more columns, none of which could be read, become text; the time for a table grows with their square. */
const WIDEST = 256

/** GitHub's alerts: https://docs.github.com/en/get-started/writing-on-github */
const alerts: Record<string, [title: string, colour: string]> = {
  NOTE: ['Note', '#0969da'],
  TIP: ['Tip', '#1a7f37'],
  IMPORTANT: ['Important', '#8250df'],
  WARNING: ['Warning', '#9a6700'],
  CAUTION: ['Caution', '#cf222e'],
}

/** Sets blocks, one after another. */
export function setBlocks(tokens: readonly Token[], context: Context, settings: BlockSettings): string {
  const out: string[] = []
  /** How each open quote, list and item ends. */
  const closers: string[] = []
  let depth = 0
  let coloured = 0
  let columns = 0

  const open = (before: string, close: string) => {
    out.push(before)
    closers.push(close)
  }
  const close = () => out.push(closers.pop() ?? '')
  const cell = (content: string) => (columns > WIDEST ? `${content}#"  ";` : `[${content}],`)
  const directed = (inline: Token, content: string) => {
    const direction = directionOf(plainText(inline.children ?? []))
    const differs = direction !== undefined && (direction === 'rtl') !== settings.rightToLeft
    return differs ? `#directed(${direction})[${content}]` : content
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const next = tokens[at + 1]
    switch (token.type) {
      case 'heading_open': {
        const content = setInline(next?.children ?? [], context, true)
        const label = settings.labels.get(token)
        const heading = `#heading(level: ${token.tag.slice(1)})[${content}]${label ? `#label(${literal(label)})` : ''}`
        if (next && content.trim() !== '') out.push(directed(next, heading), '\n\n')
        at += 2
        break
      }
      case 'inline':
        out.push(directed(token, setInline(token.children ?? [], context)))
        break
      case 'paragraph_close':
        out.push('\n\n')
        break
      case 'bullet_list_open':
      case 'ordered_list_open': {
        depth++
        const start = Number(attribute(token, 'start') || 1)
        const tight = `tight: ${isTight(tokens, at)}`
        const isTasks = attribute(token, 'class') === 'contains-task-list'
        const marker = isTasks ? 'marker: [], body-indent: 1.4em, ' : ''
        if (depth > MAX_DEPTH) open('', '')
        else if (token.type === 'bullet_list_open') open(`#list(${marker}${tight}, `, ')\n\n')
        else open(`#enum(start: ${Math.min(start, 999_999_999)}, ${tight}, `, ')\n\n')
        break
      }
      case 'list_item_open':
        if (depth > MAX_DEPTH) open(`#${literal('•  ')};`, '\n\n')
        else open('[', '],\n')
        break
      case 'blockquote_open': {
        depth++
        const alert = depth > MAX_DEPTH ? undefined : takeAlert(tokens, at)
        if (depth > MAX_DEPTH) open('', '')
        else if (alert) open(`#alert(rgb("${alert[1]}"), ${literal(alert[0])})[`, ']\n\n')
        else open('#quote(block: true)[', ']\n\n')
        break
      }
      case 'bullet_list_close':
      case 'ordered_list_close':
      case 'blockquote_close':
        depth--
        close()
        break
      case 'list_item_close':
        close()
        break
      case 'fence':
      case 'code_block': {
        const [language = ''] = token.info.trim().split(/[\s{,]+/)
        if (language.toLowerCase() === 'math') {
          out.push(setMaths(token, true, context), '\n\n')
          break
        }
        coloured += token.content.length
        const isNamed = /^[\w+#-]{1,30}$/.test(language) && coloured <= MAX_COLOURED
        const code = context.showable(token.content.replace(/\n$/, ''))
        out.push(
          `#raw(block: true, lang: ${isNamed ? literal(language) : 'none'}, ${literal(breakable(code))});\n\n`,
        )
        break
      }
      case 'maths_block':
        out.push(setMaths(token, true, context), '\n\n')
        break
      case 'html_block':
        out.push('\n\n', setHtmlBlock(token.content, context), '\n\n')
        break
      case 'hr':
        out.push('#rule;\n\n')
        break
      case 'table_open': {
        const aligned = alignments(tokens, at)
        columns = aligned.length
        if (columns > WIDEST) {
          open('', '\n\n')
          break
        }
        const size = columns > 8 ? 'text(size: 0.75em, ' : columns > 5 ? 'text(size: 0.88em, ' : ''
        open(
          `#${size}table(columns: ${columns}, align: (${aligned.join(', ')},), `,
          `${size ? ')' : ''})\n\n`,
        )
        break
      }
      case 'thead_open':
        if (columns <= WIDEST) out.push('table.header(')
        break
      case 'thead_close':
        if (columns <= WIDEST) out.push('),\n')
        break
      case 'th_open':
        out.push(cell(`#strong[${setInline(next?.children ?? [], context, true)}];`))
        at++
        break
      case 'td_open':
        out.push(cell(setInline(next?.children ?? [], context)))
        at++
        break
      case 'tr_close':
        out.push(columns > WIDEST ? '\n\n' : '\n')
        break
      case 'table_close':
        close()
        break
    }
  }
  while (closers.length > 0) close()
  return out.join('')
}

/** Whether a list is tight: its paragraphs are not written as paragraphs. */
function isTight(tokens: readonly Token[], listAt: number): boolean {
  const level = tokens[listAt]!.level + 2
  for (let at = listAt + 1; at < tokens.length && tokens[at]!.level > tokens[listAt]!.level; at++) {
    const token = tokens[at]!
    if (token.type === 'paragraph_open' && token.level === level) return token.hidden === true
  }
  return true
}

function alignments(tokens: readonly Token[], tableAt: number): string[] {
  const aligned: string[] = []
  for (let at = tableAt; at < tokens.length && tokens[at]!.type !== 'tr_close'; at++) {
    if (tokens[at]!.type !== 'th_open') continue
    const style = attribute(tokens[at]!, 'style')
    aligned.push(/right|center/.exec(style)?.[0] ?? 'start')
  }
  return aligned
}

/** The alert that a quote is, with its mark removed from the text; undefined for a plain quote. */
function takeAlert(tokens: readonly Token[], quoteAt: number): [string, string] | undefined {
  const inline = tokens[quoteAt + 2]
  const [first, second] = inline?.children ?? []
  if (tokens[quoteAt + 1]?.type !== 'paragraph_open' || first?.type !== 'text') return undefined
  const name = /^\[!([A-Za-z]+)\]\s*$/.exec(first.content)?.[1]?.toUpperCase() ?? ''
  const alert = Object.hasOwn(alerts, name) ? alerts[name] : undefined
  if (!alert || !inline?.children || (second && second.type !== 'softbreak')) return undefined
  first.content = ''
  if (second) second.type = 'text'
  return alert
}

/** Code in which long words may break, since they would overflow the page. */
const breakable = (code: string) =>
  code.replace(/[^\s\u200b]{70,}/g, word => word.replace(/.{35}/gu, '$&\u200b'))
