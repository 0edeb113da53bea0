import { decodeText } from '../../common/text.ts'
import { XmlError } from '../../common/xml/element.ts'
import { XmlScanner } from '../../common/xml/scan.ts'

/** What a package has to know of a document of its book. */
export interface Examined {
  /** What the package declares of it: `svg`, `mathml`. */
  properties: readonly string[]
  ids: ReadonlySet<string>
}

const FOREIGN = [
  ['svg', 'svg'],
  ['math', 'mathml'],
] as const

/** Examines an XHTML document. */
export function examine(bytes: Uint8Array): Examined {
  const names = new Set<string>()
  const ids = new Set<string>()
  const scanner = new XmlScanner(decodeText(bytes))
  try {
    while (scanner.next()) {
      if (scanner.kind !== 'start') continue
      names.add(scanner.name)
      const id = scanner.attributes.get('id')
      if (id !== undefined) ids.add(id)
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
  }
  return { properties: FOREIGN.flatMap(([name, property]) => (names.has(name) ? property : [])), ids }
}
