import { Catalogue, targetLabel } from '../../service/convert/catalogue/catalogue.ts'
import { type FormatKey, formats } from '../../service/convert/catalogue/formats.ts'
import { converters } from '../../service/convert/converters/index.ts'

/** A target in a file manager's menu. */
export interface MenuTarget {
  /** Request key. */
  key: string
  label: string
  category: string
}

/** A source format and its targets. */
export interface SourceFormat {
  key: string
  label: string
  suffixes: readonly string[]
  mime: string
  targets: MenuTarget[]
}

/** Suffixes that mostly belong to other programs: such files can be opened with Refile, but it is not offered for them. */
const AMBIGUOUS = new Set(['json', 'raw', 'pic', 'lot', 'fff', 'ts'])
/** MIME types that say nothing about the content. */
const VAGUE = new Set(['application/octet-stream'])
/** A submenu of Windows has room for this many entries. */
const MAX_TARGETS = 16

/** Every format that the catalogue converts from, with its suffixes and targets. */
export function sourceFormats(): SourceFormat[] {
  const catalogue = new Catalogue(converters)
  const claimed = new Set<string>()
  const keys = Object.keys(formats) as FormatKey[]
  // A group gets the suffixes that its members leave.
  const inOrder = keys.toSorted((a, b) => Number('members' in formats[a]) - Number('members' in formats[b]))
  return inOrder.flatMap(key => {
    const edges = catalogue.edgesFrom(key)
    const { label, suffixes, mime } = formats[key]
    // Systems only look at the part after the last dot, which compound suffixes share with other formats.
    const own = suffixes.filter(
      suffix => !claimed.has(suffix) && !AMBIGUOUS.has(suffix) && !suffix.includes('.'),
    )
    if (edges.length === 0 || own.length === 0 || VAGUE.has(mime)) return []
    for (const suffix of own) claimed.add(suffix)
    const targets = edges.slice(0, MAX_TARGETS).map(edge => ({
      key: edge.targetKey,
      label: targetLabel(edge),
      category: edge.converter.category,
    }))
    return [{ key, label, suffixes: own, mime, targets }]
  })
}
