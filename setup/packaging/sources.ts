import { Catalogue, targetLabel } from '../../service/catalogue/catalogue.ts'
import { type FormatKey, formats } from '../../service/catalogue/formats.ts'
import { converters } from '../../service/converters/index.ts'

/** A target as a file manager's menu offers it. */
export interface MenuTarget {
  /** Request key. */
  key: string
  label: string
  category: string
}

/** A format that files have, and what they can become. */
export interface SourceFormat {
  key: string
  label: string
  suffixes: readonly string[]
  mime: string
  targets: MenuTarget[]
}

/** Suffixes that mostly belong to other programs: a file of theirs can be opened with Refile, which is not offered for it. */
const AMBIGUOUS = new Set(['json', 'raw', 'pic', 'lot', 'fff'])
/** Types that say nothing of what is in a file. */
const VAGUE = new Set(['application/octet-stream'])
/** As many entries as fit into a submenu on Windows. */
const MOST_TARGETS = 16

/** Every format that the catalogue converts from, as files are told by their suffixes, with its targets. */
export function sourceFormats(): SourceFormat[] {
  const catalogue = new Catalogue(converters)
  const claimed = new Set<string>()
  const keys = Object.keys(formats) as FormatKey[]
  // A group has what its members leave.
  const inOrder = keys.toSorted((a, b) => Number('members' in formats[a]) - Number('members' in formats[b]))
  return inOrder.flatMap(key => {
    const edges = catalogue.edgesFrom(key)
    const { label, suffixes, mime } = formats[key]
    // What has two dots is told by its last part, which other formats have too.
    const own = suffixes.filter(
      suffix => !claimed.has(suffix) && !AMBIGUOUS.has(suffix) && !suffix.includes('.'),
    )
    if (edges.length === 0 || own.length === 0 || VAGUE.has(mime)) return []
    for (const suffix of own) claimed.add(suffix)
    const targets = edges.slice(0, MOST_TARGETS).map(edge => ({
      key: edge.targetKey,
      label: targetLabel(edge),
      category: edge.converter.category,
    }))
    return [{ key, label, suffixes: own, mime, targets }]
  })
}
