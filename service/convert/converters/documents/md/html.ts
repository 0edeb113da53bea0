/** A piece of HTML: text, or an opening or closing tag, with names in lower case. */
export type HtmlPart =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Record<string, string> }
  | { kind: 'close'; name: string }

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  deg: '°',
  plusmn: '±',
  micro: 'µ',
  para: '¶',
  sect: '§',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  check: '✓',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
}

/** Text with its character references resolved; unknown ones are kept. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{1,12}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return Object.hasOwn(entities, name) ? entities[name]! : whole
      const code = Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
    },
  )
}

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
    if (end > at) parts.push({ kind: 'text', text: decodeEntities(html.slice(at, end)) })
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
    attributes[match[1]!.toLowerCase()] ??= decodeEntities(value)
  }
  return attributes
}
