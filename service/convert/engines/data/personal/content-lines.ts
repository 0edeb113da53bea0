/** The lines that calendars (iCalendar, RFC 5545) and contacts (vCard 2.1, RFC 2426, RFC 6350) are made of. */
import iconv from 'iconv-lite'
import { decodeText } from '../../common/text.ts'
import { decodedBody } from '../../documents/read/docx/mime.ts'
import { DataError } from '../values.ts'

/**
 * Names are in capitals, without the group before them; the types of vCard 2.1, which stand alone, are those of the parameter `TYPE`.
 * Values stand as in the file, with their escapes.
 */
export type ContentLine = { name: string; group: string; parameters: Map<string, string[]>; value: string }

/** Of a kind such as `VEVENT`, without the lines of what is within it. */
export type Component = { kind: string; lines: ContentLine[] }

/** Calendars have three levels. */
const MOST_LEVELS = 100
/** Nothing before the colon of a line is longer. */
const HEAD_LETTERS = 8192

/** The components of a file, each when it ends, as it does with the file. @throws DataError of too many levels */
export function* componentsOf(text: string): Generator<Component> {
  const open: Component[] = []
  for (const parsed of unfolded(text).map(lineOf)) {
    const kind = parsed?.value.trim().toUpperCase() ?? ''
    if (parsed?.name === 'END') {
      const at = open.findLastIndex(component => component.kind === kind)
      if (at >= 0) yield* open.splice(at).reverse()
    } else if (parsed?.name === 'BEGIN') {
      if (open.push({ kind, lines: [] }) > MOST_LEVELS) throw new DataError('Too many levels')
    } else if (parsed) open.at(-1)?.lines.push(parsed)
  }
  yield* open.reverse()
}

function* unfolded(text: string): Generator<string> {
  let parts: string[] = []
  let isSoft = false
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start)
    const line = text.slice(start, found < 0 ? text.length : found)
    start += line.length + 1
    if (isSoft || /^[ \t]/.test(line)) parts.push(isSoft ? line : line.slice(1))
    else {
      yield parts.join('')
      parts = [line]
    }
    // A soft end of quoted-printable, which is not folded.
    isSoft = line.endsWith('=') && /^[^:]*QUOTED-PRINTABLE[^:]*:/i.test(parts[0]!.slice(0, HEAD_LETTERS))
    if (isSoft) parts.push(parts.pop()!.slice(0, -1))
  }
  yield parts.join('')
}

function lineOf(line: string): ContentLine | undefined {
  const head = /^(?:([\w-]+)\.)?([\w-]+)((?:;(?:[^";:]|"[^"]*")*)*):/.exec(line.slice(0, HEAD_LETTERS))
  if (!head) return undefined
  const parameters = new Map<string, string[]>()
  for (const [, name = '', values] of head[3]!.matchAll(/;([^=;]*)(?:=((?:[^";]|"[^"]*")*))?/g)) {
    const alone = /^(?:QUOTED-PRINTABLE|BASE64)$/i.test(name) ? 'ENCODING' : 'TYPE'
    const key = values === undefined ? alone : name.toUpperCase()
    const list = (values ?? name).matchAll(/"([^"]*)"|[^",]+/g).map(([all, quoted]) => quoted ?? all)
    parameters.set(key, [...(parameters.get(key) ?? []), ...list])
  }
  const [all, group = '', name = ''] = head
  const found = { name: name.toUpperCase(), group: group.toLowerCase(), parameters }
  const value = line.slice(all.length)
  const [encoding = ''] = parameters.get('ENCODING') ?? []
  if (!/^quoted/i.test(encoding)) return { ...found, value }
  const [charset = ''] = parameters.get('CHARSET') ?? []
  const bytes = decodedBody(value, encoding)
  const decoded = iconv.encodingExists(charset) ? iconv.decode(bytes, charset) : decodeText(bytes)
  return { ...found, value: decoded.replace(/\r\n?/g, '\n') }
}

/** The texts between separators that are not escaped. */
export function partsOf(value: string, separator: ';' | ','): string[] {
  const parts = ['']
  for (const [piece] of value.matchAll(/\\.|[^\\;,]+|[;,\\]/gs))
    if (piece === separator) parts.push('')
    else parts[parts.length - 1] += piece
  return parts.map(textOfValue)
}

export const textOfValue = (value: string): string =>
  value.replace(/\\(.)/gs, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter)).trim()

/** Text as the value of a property; addresses of the web have no escapes. */
export const escaped = (text: string, name = ''): string =>
  name === 'URL' ? text.replace(/\s/g, '') : text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')

/** Lines with their ends, folded so that none has more than 75 bytes, and no letter is divided. */
export const written = (lines: readonly string[]): string =>
  lines.map(line => `${line.match(/[\t -~]{74}|[\t -~]{1,74}$|.{1,18}/gu)?.join('\r\n ')}\r\n`).join('')
