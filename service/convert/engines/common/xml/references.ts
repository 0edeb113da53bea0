import { parseFragment } from 'parse5'
import { isCharacter } from './characters.ts'

const known = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
/** The predefined entities of XML, which every parser knows. */
const ofXml: ReadonlySet<string> = new Set(known.keys())
/** Maximum number of cached names; HTML has about two thousand. */
const MAX_KNOWN = 4000

const reference = /&(?:#(\d{1,8});|#[xX]([\da-fA-F]{1,7});|([A-Za-z][A-Za-z\d]{1,31});)?/g

/**
 * Decodes the character references in a text, including the named ones of HTML.
 * @param repaired called for each reference that is not defined in XML, and for each `&` that does not begin a reference
 */
export function decodeReferences(text: string, repaired?: () => void): string {
  return text.replace(reference, (whole, decimal, hex, name) => {
    if (decimal || hex) {
      const code = Number.parseInt(decimal ?? hex, decimal ? 10 : 16)
      if (isCharacter(code)) return String.fromCodePoint(code)
      repaired?.()
      return ''
    }
    if (!ofXml.has(name)) repaired?.()
    return name ? (characterOf(name) ?? whole) : whole
  })
}

/** The character of an HTML name such as `nbsp` or `eacute`. */
function characterOf(name: string): string | undefined {
  const found = known.get(name)
  if (found !== undefined) return found === '' ? undefined : found
  const source = `&${name};`
  const [node] = parseFragment(source).childNodes
  const text = node && 'value' in node ? node.value : source
  // `&notit;` would be decoded as `&not` and the rest, but only complete names count.
  const character = text.endsWith(';') ? '' : text
  if (known.size < MAX_KNOWN) known.set(name, character)
  return character || undefined
}
