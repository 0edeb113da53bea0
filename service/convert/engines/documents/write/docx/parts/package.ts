/** A Word document as a package of parts: Office Open XML (ECMA-376), part 2. */
import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import { type PackedContent, writeZip } from '../../../../books/epub/zip.ts'
import { escapeXml } from '../../../../common/xml/characters.ts'

/** The main part of a Word document, packed while it is written. */
class PackedXml {
  readonly #deflate = createDeflateRaw()
  readonly #packed: Buffer[] = []
  #crc = 0
  #bytes = 0

  constructor() {
    this.#deflate.on('data', (chunk: Buffer) => this.#packed.push(chunk))
  }

  async write(xml: string): Promise<void> {
    if (xml === '') return
    const bytes = Buffer.from(xml)
    this.#crc = crc32(bytes, this.#crc)
    this.#bytes += bytes.length
    if (!this.#deflate.write(bytes)) await once(this.#deflate, 'drain')
  }

  /** Ends the file. */
  async finish(): Promise<PackedContent> {
    const ended = once(this.#deflate, 'end')
    this.#deflate.end()
    await ended
    return { packed: Buffer.concat(this.#packed), method: 8, crc: this.#crc, bytes: this.#bytes }
  }
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** Namespaces of a text part. */
const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ')

/** The relationships of a part. */
export class Relationships {
  readonly #ids = new Map<string, { id: string; type: string; target: string; isExternal: boolean }>()

  /** The id of a target; the same target always gets the same id. */
  add(type: string, target: string, isExternal = false): string {
    const key = `${type} ${target}`
    const known = this.#ids.get(key)
    if (known) return known.id
    const id = `rId${this.#ids.size + 1}`
    this.#ids.set(key, { id, type, target, isExternal })
    return id
  }

  xml(): string {
    const all = [...this.#ids.values()].map(
      ({ id, type, target, isExternal }) =>
        `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${OFFICE}/${type}`}" Target="${escapeXml(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
  }
}

interface CoreProperties {
  title: string
  authors: readonly string[]
  /** BCP 47. */
  language: string
  description?: string | undefined
  subjects: readonly string[]
  identifier?: string | undefined
  publisher?: string | undefined
  created?: Date | undefined
  modified: Date
}

interface WordParts {
  /** The part started by `startBody`, with the last `w:sectPr` of its body. */
  body: PackedXml
  relationships: Relationships
  /** Content of each `w:footnote`; footnotes are numbered from 1. */
  footnotes: readonly string[]
  footnoteRelationships: Relationships
  /** Content of `w:styles` and `w:numbering`. */
  styles: string
  numbering: string
  /** Files by their names below `word/media/`. */
  media: ReadonlyMap<string, Uint8Array>
  properties: CoreProperties
}

const types: Record<string, string> = {
  xml: 'application/xml',
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
}

/** Starts the main part of a document; what is written to it next is the content of `w:body`. */
export async function startBody(): Promise<PackedXml> {
  const body = new PackedXml()
  await body.write(`${HEAD}<w:document ${NAMESPACES}><w:body>`)
  return body
}

/** Packs a Word document; the same parts give the same bytes. */
export async function packWord(parts: WordParts): Promise<Uint8Array> {
  const { relationships, properties } = parts
  for (const part of ['styles', 'numbering', 'settings', 'footnotes']) relationships.add(part, `${part}.xml`)
  const root = new Relationships()
  root.add('officeDocument', 'word/document.xml')
  root.add(`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml')
  root.add('extended-properties', 'docProps/app.xml')
  const texts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(),
    '_rels/.rels': root.xml(),
    'docProps/core.xml': core(properties),
    'docProps/app.xml': `${HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Refile</Application>${properties.publisher ? `<Company>${escapeXml(properties.publisher)}</Company>` : ''}</Properties>`,
    'word/_rels/document.xml.rels': relationships.xml(),
    'word/styles.xml': `${HEAD}<w:styles ${NAMESPACES}>${parts.styles}</w:styles>`,
    'word/numbering.xml': `${HEAD}<w:numbering ${NAMESPACES}>${parts.numbering}</w:numbering>`,
    'word/settings.xml': `${HEAD}<w:settings ${NAMESPACES}><w:defaultTabStop w:val="720"/><w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
    'word/footnotes.xml': `${HEAD}<w:footnotes ${NAMESPACES}>${footnotes(parts.footnotes)}</w:footnotes>`,
    'word/_rels/footnotes.xml.rels': parts.footnoteRelationships.xml(),
  }
  await parts.body.write('</w:body></w:document>')
  const body = { name: 'word/document.xml', content: await parts.body.finish() }
  const files = Object.entries(texts).map(([name, text]) => ({ name, content: Buffer.from(text) }))
  const media = [...parts.media].map(([name, content]) => ({
    name: `word/media/${name}`,
    content,
    stored: true,
  }))
  return writeZip([...files.slice(0, 4), body, ...files.slice(4), ...media])
}

function contentTypes(): string {
  const defaults = Object.entries(types).map(
    ([suffix, type]) => `<Default Extension="${suffix}" ContentType="${type}"/>`,
  )
  const parts = [
    ['/word/document.xml', `${WORD}.document.main+xml`],
    ['/word/styles.xml', `${WORD}.styles+xml`],
    ['/word/numbering.xml', `${WORD}.numbering+xml`],
    ['/word/settings.xml', `${WORD}.settings+xml`],
    ['/word/footnotes.xml', `${WORD}.footnotes+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ['/docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml'],
  ].map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`)
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types">${defaults.join('')}${parts.join('')}</Types>`
}

/** The footnotes part; the separators between notes and text come first. */
function footnotes(notes: readonly string[]): string {
  const separators = [
    ['separator', -1],
    ['continuationSeparator', 0],
  ].map(
    ([type, id]) =>
      `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:r><w:${type}/></w:r></w:p></w:footnote>`,
  )
  const own = notes.map((note, index) => `<w:footnote w:id="${index + 1}">${note}</w:footnote>`)
  return [...separators, ...own].join('')
}

function core(properties: CoreProperties): string {
  const { title, authors, language, description, subjects, identifier, created, modified } = properties
  const element = (name: string, text: string | undefined) =>
    text ? `<${name}>${escapeXml(text)}</${name}>` : ''
  const date = (name: string, value: Date | undefined) =>
    value
      ? `<dcterms:${name} xsi:type="dcterms:W3CDTF">${value.toISOString().slice(0, 19)}Z</dcterms:${name}>`
      : ''
  return `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${[
    element('dc:title', title),
    element('dc:creator', authors.join('; ')),
    element('dc:subject', subjects.join(', ')),
    element('cp:keywords', subjects.join(', ')),
    element('dc:description', description),
    element('dc:identifier', identifier),
    element('dc:language', language),
    date('created', created),
    date('modified', modified),
  ].join('')}</cp:coreProperties>`
}
