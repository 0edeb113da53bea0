/** What the RESC record, which holds the spine of the book's source, says of each part. */
import type { SpineItem } from '../../../book/model.ts'
import type { Container } from '../container.ts'

const LIMIT = 50_000
/** Properties of spine items that EPUB knows by another name, or by the same. */
const PROPERTIES: Readonly<Record<string, string>> = {
  'page-spread-left': 'page-spread-left',
  'page-spread-right': 'page-spread-right',
  'page-spread-center': 'rendition:page-spread-center',
  'rendition:page-spread-center': 'rendition:page-spread-center',
  'facing-page-left': 'page-spread-left',
  'facing-page-right': 'page-spread-right',
}

/** By the number of the part. */
export function readSpineHints({
  records,
  header,
}: Container): Map<number, Pick<SpineItem, 'linear' | 'properties'>> {
  const hints = new Map<number, Pick<SpineItem, 'linear' | 'properties'>>()
  const record = records.find(
    (each, number) => number >= header.record && each.toString('latin1', 0, 4) === 'RESC',
  )
  const items = record?.toString('utf8').matchAll(/<itemref\b[^>]{0,1000}>/g) ?? []
  for (const [item] of items) {
    const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(item)?.[1]
    const part = Number(attribute('skelid') ?? Number.NaN)
    if (!Number.isInteger(part) || part < 0 || hints.size >= LIMIT) continue
    const properties = (attribute('properties') ?? '').split(/\s+/).flatMap(name => PROPERTIES[name] ?? [])
    hints.set(part, { linear: attribute('linear') !== 'no', properties: [...new Set(properties)] })
  }
  // A book of which nothing is read in order would not open.
  if ([...hints.values()].every(({ linear }) => !linear))
    for (const hint of hints.values()) hint.linear = true
  return hints
}
