import { decodeText } from '../../common/text.ts'
import { XmlError } from '../../common/xml/element.ts'
import { XmlScanner } from '../../common/xml/scan.ts'
import { isRemote } from './links.ts'

/** What a package has to declare about a content document. */
export interface Examined {
  /** `svg`, `mathml`, `scripted`, `switch`, `remote-resources`. */
  properties: Set<string>
  ids: Set<string>
  /** Link references to other places in the book, as written. */
  links: Set<string>
  /** Remote audio, video and fonts. */
  remote: Set<string>
}

const interactive = /^on[a-z]/
const media = new Set(['audio', 'video', 'source', 'track'])

/** Examines an XHTML or SVG document. */
export function examine(bytes: Uint8Array): Examined {
  const found: Examined = { properties: new Set(), ids: new Set(), links: new Set(), remote: new Set() }
  const scanner = new XmlScanner(decodeText(bytes))
  try {
    let isFirst = true
    while (scanner.next()) {
      if (scanner.kind !== 'start') continue
      examineElement(scanner, found, isFirst)
      isFirst = false
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
  }
  if (found.remote.size > 0) found.properties.add('remote-resources')
  return found
}

function examineElement({ name, attributes }: XmlScanner, found: Examined, isRoot: boolean): void {
  const local = name.slice(name.indexOf(':') + 1)
  if (local === 'math') found.properties.add('mathml')
  else if (local === 'svg' && !isRoot) found.properties.add('svg')
  else if (local === 'switch' && name !== local) found.properties.add('switch')
  else if (local === 'form') found.properties.add('scripted')
  else if (local === 'script') {
    const isData = !/javascript|ecmascript|^module$|^$/i.test(attributes.get('type') ?? '')
    if (!isData) found.properties.add('scripted')
  }
  for (const [key, value] of attributes) {
    if (key === 'id') found.ids.add(value)
    else if (interactive.test(key)) found.properties.add('scripted')
    else if ((key === 'href' || key === 'xlink:href') && (local === 'a' || local === 'area'))
      found.links.add(value)
    else if (key === 'src' && media.has(local) && isRemote(value) && !/^\s*data:/i.test(value)) {
      found.remote.add(value.trim())
    }
  }
}
