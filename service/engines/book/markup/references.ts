import { parseFragment } from 'parse5'
import { isCharacter } from './characters.ts'

const known = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
/** Those of XML, which every parser knows. */
const ofXml: ReadonlySet<string> = new Set(known.keys())
/** Names kept: HTML has about two thousand. */
const MAX_KNOWN = 4000

const reference = /&(?:#(\d{1,8});|#[xX]([\da-fA-F]{1,7});|([A-Za-z][A-Za-z\d]{1,31});)?/g

/**
 * Text with its references replaced by what they stand for, the named ones of HTML among them.
 * @param repaired called for each that XML alone does not know, and for each `&` that begins none
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

/** What a name of HTML stands for: `nbsp`, `eacute`. */
function characterOf(name: string): string | undefined {
  const found = known.get(name)
  if (found !== undefined) return found === '' ? undefined : found
  const source = `&${name};`
  const [node] = parseFragment(source).childNodes
  const text = node && 'value' in node ? node.value : source
  // `&notit;` is read as `&not` and the rest: only a name that is known as a whole counts.
  const character = text.endsWith(';') ? '' : text
  if (known.size < MAX_KNOWN) known.set(name, character)
  return character || undefined
}
