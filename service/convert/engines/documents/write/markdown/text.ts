/** Text in GitHub's Markdown, whose characters mean nothing but themselves: https://github.github.com/gfm/ */

/** Escapes signs that would be markup anywhere, with pandoc's for raised, lowered and marked text. */
export const escapeText = (text: string): string =>
  text
    .replace(/[\\`*[\]<]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~(?=~|\S{1,99}?~)|(?<=~)~|\^(?=\S{1,99}?\^)|==(?=[^\s\w])|(?<!\w)==(?=\w)/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')

/** Escapes signs that would start another kind of block at the start of a line. */
export const escapeStart = (line: string): string =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|(?:-{3,}|={3,}|~{3,})\s*$|:{3,})/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** A fence of backticks that is longer than those in a text. */
const fenceFor = (text: string, least: number): string =>
  '`'.repeat(1 + Math.max(least - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))

/** Code within a line. */
export function codeSpan(text: string): string {
  const fence = fenceFor(text, 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** Lines of code. */
export function codeBlock(text: string, language = ''): string {
  const fence = fenceFor(text, 3)
  return `${fence}${/^[\w+#.-]*$/.test(language) ? language : ''}\n${text}\n${fence}`
}

/** Lines that are not empty, moved to the right. */
export const indented = (text: string, width: number): string => text.replace(/^(?=.)/gm, ' '.repeat(width))

/** Items of a list with their marks, each followed by what belongs to it. */
export const marked = (
  items: readonly string[],
  markOf: (index: number) => string,
  isTight: boolean,
): string =>
  items
    .map((item, index) => {
      const mark = markOf(index)
      return (mark + indented(item, mark.length).trimStart()).trimEnd()
    })
    .join(isTight ? '\n' : '\n\n')

/** The text of code without empty lines at its ends. */
export const withoutBlankEnds = (text: string): string => text.replace(/^\n+|(?<!\n)\n+$/g, '')

const parentheses: Record<string, string> = { '(': '%28', ')': '%29' }

/** An address as the target of a link or picture. */
export const linkTarget = (address: string): string =>
  address.replace(/[\s()<>\\]/g, sign => parentheses[sign] ?? encodeURIComponent(sign))
