import createMarkdownIt, { type MarkdownIt, type StateBlock, type StateInline, type Token } from 'markdown-it'
import definitions from 'markdown-it-deflist'
import footnotes from 'markdown-it-footnote'
import marked from 'markdown-it-mark'
import subscript from 'markdown-it-sub'
import superscript from 'markdown-it-sup'
import taskLists from 'markdown-it-task-lists'
import { Slugs } from '../../slugs.ts'

export type { Token }

/** The parser ignores deeper nesting. */
const MAX_NESTING = 120
/** Quotes within quotes; a line that starts with this many marks is not a real quote. */
const DEEP_QUOTE = /^((?: {0,3}> ?){20})(?: {0,3}> ?)+/gm

/** Creates a parser for GitHub's Markdown with what pandoc adds: notes, formulas, definitions, raised and lowered text, names of headings. */
function createParser(): MarkdownIt {
  const parser = createMarkdownIt({ html: true, xhtmlOut: true, linkify: true, maxNesting: MAX_NESTING })
    .use(footnotes)
    .use(taskLists)
    .use(definitions)
    .use(marked)
    .use(subscript)
    .use(superscript)
  parser.inline.ruler.before('escape', 'math', inlineMath)
  parser.inline.ruler.before('mark', 'comparison', comparison)
  parser.block.ruler.before('fence', 'math_block', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  // Data URIs are used unchanged: escaping megabytes would change nothing.
  const { validateLink, normalizeLink } = parser
  parser.validateLink = url => /^data:image\//i.test(url) || validateLink(url)
  parser.normalizeLink = url => (/^data:image\//i.test(url) ? url : normalizeLink(url))
  // Only full addresses become links; "file.md" is a name.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  return parser
}

/** GitHub's alerts: https://docs.github.com/en/get-started/writing-on-github */
const ALERT = /^\[!(note|tip|important|warning|caution)\]\s*$/i

/** Marks a quote that is an alert, and begins it with the alert's title. */
function nameAlert(tokens: readonly Token[], quoteAt: number): void {
  const [first, second] = tokens[quoteAt + 2]?.children ?? []
  const name = first?.type === 'text' ? ALERT.exec(first.content)?.[1]?.toLowerCase() : undefined
  if (!name || (second && second.type !== 'softbreak')) return
  tokens[quoteAt]!.attrSet('class', `markdown-alert-${name}`)
  first!.type = 'html_inline'
  first!.content = `<p><strong>${name[0]!.toUpperCase()}${name.slice(1)}</strong></p>`
}

let parser: MarkdownIt | undefined

export function parseMarkdown(text: string): Token[] {
  parser ??= createParser()
  return parser.parse(text.replace(DEEP_QUOTE, '$1'), {})
}

/** HTML of tokens, whose headings have the names that GitHub gives them; formulas are marked as pandoc does. */
export function renderMarkdown(tokens: Token[]): string {
  parser ??= createParser()
  const { renderer, options, utils } = parser
  const formula = (list: Token[], at: number) => {
    const { type, content } = list[at]!
    return `<span class="math ${type === 'math_inline' ? 'inline' : 'display'}">${utils.escapeHtml(content)}</span>`
  }
  const own = Object.create(renderer) as typeof renderer
  own.rules = {
    ...renderer.rules,
    math_inline: formula,
    math_display: formula,
    math_block: (list: Token[], at: number) => `<p>${formula(list, at)}</p>\n`,
  }
  const slugs = new Slugs()
  for (const [at, token] of tokens.entries())
    if (token.type === 'blockquote_open') nameAlert(tokens, at)
    else if (token.type === 'heading_open') {
      const words = tokens[at + 1]?.children ?? []
      token.attrSet('id', ownName(words) ?? slugs.of(wordsOf(words)))
    }
  return own.render(tokens, options, {})
}

/** Takes pandoc's `{#name .class}` off the end of a heading. @returns the name */
function ownName(words: readonly Token[]): string | undefined {
  const last = words.at(-1)
  const [written, name] =
    (last?.type === 'text' && /\s*\{#([^\s{}]+)(?: [^{}]*)?\}$/.exec(last.content)) || []
  if (last && written) last.content = last.content.slice(0, -written.length)
  return name
}

const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'image') return wordsOf(children ?? [])
      return type.endsWith('break') ? ' ' : /^(?:text|code_inline|math_)/.test(type) ? content : ''
    })
    .join('')

/** `$x$`, `` $`x`$ `` and `$$x$$` within a line. A dollar sign next to a space or before a digit means money. */
function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src[pos] !== '$') return false
  const fence = src.startsWith('$$', pos) ? '$$' : src.startsWith('$`', pos) ? '$`' : '$'
  const closing = fence === '$`' ? '`$' : fence
  const start = pos + fence.length
  let end = src.indexOf(closing, start)
  while (end > 0 && src[end - 1] === '\\') end = src.indexOf(closing, end + 1)
  if (end < 0 || end + closing.length > posMax || end === start) return false
  const formula = src.slice(start, end)
  if (fence === '$' && (/^\s|\s$/.test(formula) || /[\d$]/.test(src[end + 1] ?? ''))) return false
  if (!silent) {
    const token = state.push(fence === '$$' ? 'math_display' : 'math_inline', 'math', 0)
    token.content = formula
    token.markup = fence
  }
  state.pos = end + closing.length
  return true
}

/** Two equals signs within a word mark nothing: `numpy==1.26`. */
function comparison(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!/^\w==\w/.test(src.slice(Math.max(0, pos - 1), pos + 3))) return false
  if (!silent) state.pending += '=='
  state.pos += 2
  return true
}

/** Lines between `$$` and `$$`. */
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])
  const first = lineOf(startLine)
  if (!first.startsWith('$$') || state.sCount[startLine]! - state.blkIndent >= 4) return false
  const lines: string[] = []
  let line = startLine
  let rest = first.slice(2)
  for (;;) {
    const end = rest.trimEnd()
    if (end.endsWith('$$') && (line > startLine || end.length > 2)) {
      lines.push(end.slice(0, -2))
      break
    }
    // If text follows the formula, it is a formula within the paragraph.
    if (rest.includes('$$')) return false
    lines.push(rest)
    line++
    if (line >= endLine || (state.sCount[line]! < state.blkIndent && lineOf(line) !== '')) return false
    rest = lineOf(line)
  }
  if (silent) return true
  const token = state.push('math_block', 'math', 0)
  token.block = true
  token.content = lines.join('\n')
  token.map = [startLine, line + 1]
  state.line = line + 1
  return true
}
