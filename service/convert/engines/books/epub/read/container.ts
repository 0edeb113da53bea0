import { stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { ZipArchive, type ZipEntry } from '../../../archives/zip.ts'
import { decodePercent } from '../../../common/addresses.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { soundRoot } from '../../../common/xml/tree.ts'
import { isDecodable } from '../../book/decodable.ts'
import { cleanPath } from '../../book/links.ts'
import { isDocument } from '../../book/media-types.ts'
import type { PackedContent } from '../zip.ts'
import { obfuscatedFonts, type Restore } from './encryption.ts'

const MAX_ENTRIES = 50_000
/** Maximum unpacked size of all files of a book together. */
const MAX_BYTES = 2 ** 30
/** Maximum compression ratio. The text of a book compresses to about a tenth; a large file beyond this ratio is malicious. */
const MAX_RATIO = 300
const RATIO_COUNTS_FROM_BYTES = 64 * 2 ** 20
/** Maximum size of the files that describe the book. */
const DESCRIPTION_BYTES = 32 * 2 ** 20

/** The ZIP of an EPUB, by the paths of its files: https://www.w3.org/TR/epub-33/#sec-ocf */
export class Container implements AsyncDisposable {
  readonly archive: ZipArchive
  /** Entries by path, without folders. */
  readonly entries: ReadonlyMap<string, ZipEntry>
  readonly #similar = new Map<string, string>()
  #fonts: ReadonlyMap<string, Restore> = new Map()

  private constructor(archive: ZipArchive, entries: ReadonlyMap<string, ZipEntry>) {
    this.archive = archive
    this.entries = entries
    for (const name of entries.keys()) this.#similar.set(similar(name), name)
  }

  /** @throws JobFailure corrupt_input, too_large; encrypted_input when the book is protected */
  static async open(path: string): Promise<Container> {
    const archive = await ZipArchive.open(path)
    try {
      const container = new Container(archive, await entriesOf(archive, path))
      container.#fonts = await obfuscatedFonts(container)
      return container
    } catch (error) {
      await archive[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Path of the package; of the first one if there are several renditions. */
  async packagePath(): Promise<string> {
    if (this.entries.has('META-INF/container.xml')) {
      const root = await this.readXml('META-INF/container.xml').catch(() => undefined)
      const files = root?.children.flatMap(child => (typeof child === 'object' ? child.children : [])) ?? []
      for (const file of files) {
        if (typeof file === 'string' || file.name !== 'rootfile') continue
        // A book may also contain itself in other formats, such as PDF.
        if (!/oebps-package/i.test(file.attributes['media-type'] ?? 'oebps-package')) continue
        const found = this.find(file.attributes['full-path'] ?? '')
        if (found !== undefined) return found
      }
    }
    const found = [...this.entries.keys()].find(name => /\.opf$/i.test(name))
    if (found === undefined) throw new JobFailure('jobs.corrupt_input', message('ebooks.not_a_book'))
    return found
  }

  /** The path as spelled in the archive, even if the book uses another case or percent-encodes it. */
  find(path: string): string | undefined {
    for (const candidate of [path, decodePercent(path)]) {
      const name = cleanPath(candidate.replaceAll('\\', '/'))
      if (this.entries.has(name)) return name
      const found = this.#similar.get(similar(name))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Reads a file; obfuscated fonts are restored. */
  async read(name: string, limitBytes = MAX_BYTES): Promise<Uint8Array> {
    const entry = this.#entry(name)
    const bytes = await this.archive.read(entry, limitBytes)
    if (crc32(bytes) !== entry.crc) throw new JobFailure('jobs.corrupt_input')
    return this.#fonts.get(name)?.(bytes) ?? bytes
  }

  /** Reads a file without unpacking it. @throws JobFailure */
  async readPacked(name: string): Promise<PackedContent> {
    const entry = this.#entry(name)
    const { method, crc, bytes } = entry
    if (method !== 0 && method !== 8) throw new JobFailure('jobs.unsupported_input')
    return { packed: await this.archive.readPacked(entry, MAX_BYTES), method, crc, bytes }
  }

  #entry(name: string): ZipEntry {
    const entry = this.entries.get(name)
    if (!entry) throw new JobFailure('jobs.corrupt_input')
    if (entry.isEncrypted) throw new JobFailure('jobs.encrypted_input')
    return entry
  }

  /** Reads one of the files that describe the book. @throws JobFailure */
  async readXml(name: string): Promise<XmlElement> {
    return soundRoot(await this.read(name, DESCRIPTION_BYTES))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.archive[Symbol.asyncDispose]()
  }
}

/**
 * A file of a book; undefined if it is damaged and no text, or a picture that cannot be decoded, which costs the file and not the book.
 * @throws JobFailure corrupt_input for a damaged document
 */
export async function readPart(
  container: Container,
  href: string,
  mediaType: string,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await container.read(href)
    return (await isDecodable(bytes, mediaType)) ? bytes : undefined
  } catch (error) {
    const isLoss =
      error instanceof JobFailure && error.code === 'jobs.corrupt_input' && !isDocument(mediaType)
    if (!isLoss) throw error
    return undefined
  }
}

async function entriesOf(archive: ZipArchive, path: string): Promise<Map<string, ZipEntry>> {
  if (archive.entries.length > MAX_ENTRIES) {
    throw new JobFailure('jobs.too_large', message('ebooks.too_many_files', { limit: MAX_ENTRIES }))
  }
  const entries = new Map<string, ZipEntry>()
  let bytes = 0
  for (const entry of archive.entries) {
    bytes += entry.bytes
    if (entry.name.endsWith('/') && entry.bytes === 0) continue
    const name = cleanPath(entry.name.replaceAll('\\', '/'))
    if (name !== '' && !entries.has(name)) entries.set(name, entry)
  }
  const packed = (await stat(path)).size
  if (bytes > MAX_BYTES || (bytes > RATIO_COUNTS_FROM_BYTES && bytes > packed * MAX_RATIO)) {
    throw new JobFailure(
      'jobs.too_large',
      message('ebooks.too_large_unpacked', { megabytes: MAX_BYTES / 2 ** 20 }),
    )
  }
  return entries
}

const similar = (path: string) => path.normalize('NFC').toLowerCase()
