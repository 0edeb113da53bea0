import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { decodeText } from '../../../common/text.ts'
import { childOf, elementsOf, type XmlElement } from '../../../common/xml/element.ts'
import { readTree } from '../../../common/xml/tree.ts'
import { replaceAddresses } from '../../book/css/addresses.ts'
import { baseAddress, elementsIn, linksOf, relativeHref, resolveHref, type Target } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import { writeDocument } from '../../book/markup/write.ts'
import { isDocument, isSvg, mediaTypeOf } from '../../book/media-types.ts'
import type { Book, Rendition, Resource } from '../../book/model.ts'
import { Container, readPart } from './container.ts'
import { coverOf } from './cover.ts'
import { readMetadata } from './metadata.ts'
import { NCX, navigationOf } from './navigation.ts'
import { type Package, readPackage } from './package.ts'
import { renditionOf, viewportOf } from './rendition.ts'
import { addLinked, shownFor } from './shown.ts'

/**
 * The place that a canonical fragment identifier of the package leads to (https://idpf.org/epub/linking/cfi/), such as
 * `epubcfi(/6/4[ref]!/4[body]/10[para]/3:10)`: the document, and the innermost element on the way whose id it names.
 */
function cfiTarget(fragment: string, { root, spine, items }: Package): Target | undefined {
  const [, path] = /^epubcfi\(([^,]*)/.exec(fragment) ?? []
  const [, steps, inDocument] = path === undefined ? [] : (/^([^!]*)!(.*)$/.exec(path) ?? [])
  const [, part, itemref] = steps === undefined ? [] : (/^\/(\d+)(?:\[[^\]]*\])?\/(\d+)/.exec(steps) ?? [])
  // Elements have even numbers.
  if (elementsOf(root)[Number(part) / 2 - 1]?.name !== 'spine') return undefined
  const item = items.get(spine[Number(itemref) / 2 - 1]?.id ?? '')
  const ids = [...(inDocument ?? '').matchAll(/\/\d+\[([^\];]+)/g)]
  return item && { href: item.href, fragment: ids.at(-1)?.[1] ?? '' }
}

export interface ReadBook {
  book: Book
  /** Number of files declared by the package that are not in the archive. */
  missing: number
  /** Paths of pictures, fonts and other files that are damaged and left out. */
  damaged: readonly string[]
  /** Whether it has narration synchronized with the text, which no other format supports. */
  isNarrated: boolean
}

/** Media type of media overlays, which synchronize narration with the text. */
const NARRATION = 'application/smil+xml'

/**
 * Reads an EPUB 2 or 3 book: https://www.w3.org/TR/epub-33/, https://idpf.org/epub/201.
 * Documents that are not well-formed are repaired; files are in the order of the manifest.
 * @throws JobFailure corrupt_input, encrypted_input, too_large
 */
export async function readEpub(path: string): Promise<ReadBook> {
  await using container = await Container.open(path)
  const opf = await readPackage(container)
  const { resources, links, damaged } = await readResources(container, opf)
  const spine = spineOf(opf, resources)
  addLinked(spine, resources, links)
  if (spine.length === 0) throw new JobFailure('jobs.corrupt_input', message('ebooks.no_text'))
  const navigation = await navigationOf(container, opf, resources)
  const { layout, rendition, primaryWritingMode } = renditionOf(opf.root)
  const first = resources.get(spine[0]!.href)
  if (layout === 'fixed' && first) rendition.viewport ??= viewportIn(first)
  const book: Book = {
    metadata: readMetadata(opf.root),
    direction: opf.direction,
    layout,
    rendition,
    primaryWritingMode,
    resources,
    spine,
    ...navigation,
    cover: coverOf(opf, resources, navigation.landmarks),
  }
  const isNarrated = [...opf.items.values()].some(({ mediaType }) => mediaType === NARRATION)
  return { book, missing: opf.missing, damaged, isNarrated }
}

/** @returns the files, for each document the paths of the documents that it links to, and damaged files */
async function readResources(container: Container, opf: Package) {
  const resources = new Map<string, Resource>()
  const links = new Map<string, Set<string>>()
  const damaged: string[] = []
  const add = async (resource: Omit<Resource, 'bytes'>) => {
    const bytes = await readPart(container, resource.href, resource.mediaType)
    if (bytes) resources.set(resource.href, { ...resource, bytes })
    else damaged.push(resource.href)
  }
  const fallbacks = new Map([...opf.items.values()].map(({ id, href }) => [id, href]))
  for (const item of opf.items.values()) {
    if (item.mediaType === NCX || item.mediaType === NARRATION || resources.has(item.href)) continue
    const { href, mediaType, properties } = item
    await add({ href, mediaType, properties, fallback: fallbacks.get(item.fallback ?? '') })
  }
  const listed = new Set([...opf.items.values()].map(({ href }) => href).concat('mimetype', opf.path))
  const unlisted = new Set(
    [...container.entries.keys()].filter(name => !listed.has(name) && !name.startsWith('META-INF/')),
  )
  const waiting = [...resources.values()]
  for (let resource = waiting.pop(); resource; resource = waiting.pop()) {
    for (const name of normaliseDocument(resource, { opf, unlisted, container, resources, links })) {
      unlisted.delete(name)
      await add({ href: name, mediaType: mediaTypeOf(name), properties: [] })
      const found = resources.get(name)
      if (found) waiting.push(found)
    }
  }
  return { resources, links, damaged }
}

/** The book around a document. */
interface Surroundings {
  opf: Package
  /** Files that are missing from the manifest. */
  unlisted: ReadonlySet<string>
  container: Container
  resources: ReadonlyMap<string, Resource>
  /** Gets the paths that each document links to. */
  links: Map<string, Set<string>>
}

/** Elements whose references lead to other documents. */
const LINKING = new Set(['a', 'area', 'iframe'])

/**
 * Repairs a document that is not well-formed, and makes its references those of a file without a base address.
 * @returns the files it refers to that are missing from the manifest
 */
function normaliseDocument(
  resource: Resource,
  { opf, unlisted, container, resources, links }: Surroundings,
): string[] {
  const { href, mediaType, bytes } = resource
  if (mediaType === 'text/css') return normaliseSheet(resource, { unlisted, container })
  const isText = isDocument(mediaType)
  if (!isText && !isSvg(mediaType)) return []
  const tree = isText ? readXhtml(bytes) : svgOf(bytes)
  if (!tree) return []
  const found = new Set<string>()
  const linked = new Set<string>()
  const base = isText ? takeBase(tree.root, href) : undefined
  const from = base ?? href
  let isAsWritten = tree.isWellFormed && isPlainUtf8(bytes) && base === undefined
  for (const { element, attribute, value } of linksOf(tree.root)) {
    const written = resolveHref(from, value)
    const target = (written?.href === opf.path && cfiTarget(written.fragment, opf)) || written
    if (!target || target.href === '' || (target === written && target.href === href)) continue
    const own = container.find(target.href)
    if (own === undefined) continue
    const name = shownFor(own, resources)
    if (name !== written?.href || from !== href) {
      // The reference differs from the file name in case or encoding, or it is to a file with a fallback or by its place.
      element.attributes[attribute] = relativeHref(href, { href: name, fragment: target.fragment })
      isAsWritten = false
    }
    if (unlisted.has(name)) found.add(name)
    if (LINKING.has(element.name)) linked.add(name)
  }
  links.set(href, linked)
  if (!isAsWritten) resource.bytes = Buffer.from(writeDocument(tree.root))
  return [...found]
}

/** The same for a style sheet. */
function normaliseSheet(
  resource: Resource,
  { unlisted, container }: Pick<Surroundings, 'unlisted' | 'container'>,
): string[] {
  const found = new Set<string>()
  let isAsWritten = true
  const css = decodeText(resource.bytes)
  const spelled = (address: string) => {
    const target = /^\s*#/.test(address) ? undefined : resolveHref(resource.href, address)
    const name = target && container.find(target.href)
    if (name === undefined) return undefined
    if (unlisted.has(name)) found.add(name)
    if (name === target?.href) return undefined
    isAsWritten = false
    // Parentheses and quotation marks end an address in CSS.
    return relativeHref(resource.href, { href: name, fragment: target?.fragment ?? '' }).replace(
      /[()']/g,
      sign => `%${sign.charCodeAt(0).toString(16)}`,
    )
  }
  const written = replaceAddresses(css, { sheet: address => spelled(address) ?? address, resource: spelled })
  if (!isAsWritten) resource.bytes = Buffer.from(written)
  return [...found]
}

/** Removes the base address that a document declares. @returns it as a path within the book, if it is there */
function takeBase(root: XmlElement, href: string): string | undefined {
  const head = childOf(root, 'head')
  const element = childOf(head, 'base')
  const value = element?.attributes.href
  const base = value === undefined ? undefined : baseAddress(href, value)
  if (head && base !== undefined) head.children = head.children.filter(child => child !== element)
  return base
}

/** Whether a file is UTF-8 and does not declare another encoding. */
const isPlainUtf8 = (bytes: Uint8Array) => {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, encoding] = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)/i.exec(head) ?? []
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(head) && (encoding === undefined || /^utf-?8$/i.test(encoding))
}

function svgOf(bytes: Uint8Array) {
  try {
    return readTree(decodeText(bytes))
  } catch {
    // A picture that cannot be read is left unchanged; readers cannot show it either.
    return undefined
  }
}

function spineOf(opf: Package, resources: ReadonlyMap<string, Resource>): Book['spine'] {
  const seen = new Set<string>()
  const spine = opf.spine.flatMap(({ id, linear, properties }) => {
    const item = opf.items.get(id)
    const href = item && shownFor(item.href, resources)
    if (href === undefined || !resources.has(href) || seen.has(href)) return []
    seen.add(href)
    return [{ href, linear, properties }]
  })
  if (spine.length > 0) return spine
  return [...opf.items.values()]
    .filter(({ mediaType, href }) => isDocument(mediaType) && resources.has(href))
    .map(({ href }) => ({ href, linear: true, properties: [] }))
}

/** The page size that a fixed-layout page declares. */
function viewportIn({ mediaType, bytes }: Resource): Rendition['viewport'] {
  if (isSvg(mediaType)) return sizeOfVectorGraphic(svgOf(bytes)?.root.attributes ?? {})
  const head = isDocument(mediaType) ? childOf(readXhtml(bytes).root, 'head') : undefined
  const declared = head && elementsIn(head).find(({ attributes }) => attributes.name === 'viewport')
  return declared && viewportOf(declared.attributes.content)
}

/** The size of a vector graphic, as SVG content documents declare it: https://www.w3.org/TR/epub-33/#sec-fxl-content-dimensions */
function sizeOfVectorGraphic({
  viewBox = '',
  width,
  height,
}: XmlElement['attributes']): Rendition['viewport'] {
  const [, , wide, high] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const size = wide && high ? { width: wide, height: high } : { width: pixels(width), height: pixels(height) }
  return size.width > 0 && size.height > 0 ? size : undefined
}

const pixels = (length = '') => Number(/^\s*([\d.]+)(?:px)?\s*$/.exec(length)?.[1] ?? 0)
