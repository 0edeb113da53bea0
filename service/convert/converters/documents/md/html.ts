import { decodeReferences } from '../../../engines/common/xml/references.ts'

/** A piece of HTML: text, or an opening or closing tag, with names in lower case. */
export type HtmlPart =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Record<string, string> }
  | { kind: 'close'; name: string }

/** Elements whose content is not shown. */
const HIDDEN =
  'script|style|template|title|noscript|iframe|object|svg|math|textarea|select|video|audio|canvas'

const pattern = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|$)',
    '<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>|$)',
    '<[!?][^>]*(?:>|$)',
    `<(${HIDDEN})(?=[\\s/>])[^>]*>(?:[\\s\\S]*?</\\1\\s*>)?`,
    '<(/?)([a-zA-Z][\\w:-]*)((?:"[^"]*"|\'[^\']*\'|[^\'">])*)>',
  ].join('|'),
  'gi',
)

/** Splits HTML into its tags and texts; comments, scripts and the like are left out. */
export function htmlParts(html: string): HtmlPart[] {
  const parts: HtmlPart[] = []
  let at = 0
  const text = (end: number) => {
    if (end > at) parts.push({ kind: 'text', text: decodeReferences(html.slice(at, end)) })
  }
  for (const match of html.matchAll(pattern)) {
    text(match.index)
    at = match.index + match[0].length
    const [, , slash, name, rest = ''] = match
    if (!name) continue
    if (slash) parts.push({ kind: 'close', name: name.toLowerCase() })
    else parts.push({ kind: 'open', name: name.toLowerCase(), attributes: attributesOf(rest) })
  }
  text(html.length)
  return parts
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const match of text.matchAll(/([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
    const value = match[2] ?? match[3] ?? match[4] ?? ''
    attributes[match[1]!.toLowerCase()] ??= decodeReferences(value)
  }
  return attributes
}
