/** XMP packets (ISO 16684-1), changed as text: what nobody asked to change stays as it is. */

const NAMESPACES = {
  Container: 'http://ns.google.com/photos/1.0/container/',
  dc: 'http://purl.org/dc/elements/1.1/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  GCamera: 'http://ns.google.com/photos/1.0/camera/',
  hdrgm: 'http://ns.adobe.com/hdr-gain-map/1.0/',
  Item: 'http://ns.google.com/photos/1.0/container/item/',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
}

/** Where a picture was taken, or shows. */
export const PLACE = [
  'exif:GPS\\w+',
  'Iptc4xmpCore:(?:Location|CountryCode)',
  'Iptc4xmpExt:Location\\w+',
  'photoshop:(?:City|State|Country)',
]

/** How a file consists of several pictures and videos, which holds for no other file. */
export const STRUCTURE = ['Container:Directory', 'GCamera:(?:MicroVideo|MotionPhoto)\\w*', 'hdrgm:\\w+']

/** A packet without properties, given as `prefix:pattern` by the usual prefixes. */
export function withoutProperties(packet: string, properties: readonly string[]): string {
  let rest = packet
  for (const property of properties) {
    const [usual = '', pattern] = property.split(/:(.*)/)
    const address = NAMESPACES[usual as keyof typeof NAMESPACES]
    const own = new RegExp(`xmlns:([\\w-]+)\\s*=\\s*["']${address.replaceAll('.', '\\.')}["']`).exec(
      rest,
    )?.[1]
    const name = `${own ?? usual}:${pattern}`
    rest = withoutElements(rest, name).replace(
      new RegExp(`\\s${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`, 'g'),
      '',
    )
  }
  return rest
}

function withoutElements(packet: string, name: string): string {
  const kept: string[] = []
  let [from, depth] = [0, 0]
  for (const tag of packet.matchAll(new RegExp(`<(/?)${name}(?:\\s[^<>]*)?(/?)>`, 'g'))) {
    const [text, closes] = tag
    const isWhole = text.endsWith('/>')
    if (depth === 0 && closes) continue
    if (depth === 0) kept.push(packet.slice(from, tag.index))
    if (!isWhole) depth += closes ? -1 : 1
    if (depth === 0) from = tag.index + text.length
  }
  // One that does not end is damaged, and hides what follows.
  return kept.join('') + (depth === 0 ? packet.slice(from) : '')
}

const escaped = (value: string) => value.replace(/[<>&"]/g, character => `&#${character.charCodeAt(0)};`)

export const plain = (name: string, value: string) => `<${name}>${escaped(value)}</${name}>`

/** A text in one language, or a list of names. */
export const listed = (name: string, kind: 'Alt' | 'Seq', value: string) =>
  `<${name}><rdf:${kind}><rdf:li${kind === 'Alt' ? ' xml:lang="x-default"' : ''}>${escaped(value)}</rdf:li></rdf:${kind}></${name}>`

const EMPTY =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta>'

/** A packet, or a new one, with further properties, as elements and attributes with the usual prefixes. */
export function withProperties(packet: string | undefined, elements: string, attributes = ''): string {
  const whole = packet?.includes('</rdf:RDF>') ? packet : EMPTY
  const used = Object.entries(NAMESPACES).filter(([prefix]) => (elements + attributes).includes(`${prefix}:`))
  const names = used.map(([prefix, address]) => ` xmlns:${prefix}="${address}"`).join('')
  const at = whole.lastIndexOf('</rdf:RDF>')
  return `${whole.slice(0, at)}<rdf:Description rdf:about=""${names}${attributes}>${elements}</rdf:Description>${whole.slice(at)}`
}
