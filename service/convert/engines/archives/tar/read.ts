/** Reads TAR archives: ustar, pax, GNU, and what is in none of them but like Unix V7's. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ARCHIVE_LIMITS } from '../../common/limits.ts'
import { type ByteSource, take } from '../byte-queue.ts'
import type { RawEntry } from '../listing.ts'
import type { Content } from '../model.ts'
import { BLOCK_BYTES, type Header, hasRightSum, isZero, parseHeader, parsePax } from './header.ts'

/** Longest extended header or long name. */
const EXTENDED_BYTES = 8 * 2 ** 20
const CHUNK_BYTES = 1 << 20

type Pax = Map<string, Buffer>

const damaged = () => new JobFailure('jobs.corrupt_input', message('archive.damaged'))

/** A member with its names as they are stored. */
export interface TarMember extends Pick<RawEntry, 'kind' | 'size' | 'modified' | 'mode' | 'comment'> {
  name: Buffer
  /** Target of a link. */
  link: Buffer
  /** Of a file; what is not read is skipped. */
  data?: Content
}

/** Reads one archive from start to end. */
export class TarReader {
  /** Comment of the whole archive, known at its end. */
  comment: string | undefined
  readonly #source: ByteSource
  /** Settings of the last global header. */
  #global: Pax = new Map()

  constructor(source: ByteSource) {
    this.#source = source
  }

  /**
   * All members in order; unread data are skipped.
   * @throws JobFailure corrupt_input, unsupported_input, too_large
   */
  async *members(): AsyncGenerator<TarMember> {
    let pax: Pax = new Map()
    let longName: Buffer | undefined
    let longLink: Buffer | undefined
    let zeroBlocks = 0
    for (let isFirst = true; ; isFirst = false) {
      const block = await take(this.#source, BLOCK_BYTES)
      // Many writers omit the blocks of zeros at the end.
      if (block.length === 0 && !isFirst) {
        if (pax.size > 0 || longName || longLink) throw damaged()
        break
      }
      if (block.length < BLOCK_BYTES) throw damaged()
      if (isZero(block)) {
        if (++zeroBlocks === 2) break
        continue
      }
      if (!hasRightSum(block)) {
        // After a single block of zeros some writers leave bytes of their buffers.
        if (zeroBlocks > 0) break
        throw isFirst ? new JobFailure('jobs.corrupt_input', message('archive.not_this_format')) : damaged()
      }
      zeroBlocks = 0
      const header = parseHeader(block)
      if (header.type === 'x') pax = await this.#readPax(header)
      else if (header.type === 'g') this.#setGlobal(await this.#readPax(header))
      else if (header.type === 'L') longName = withoutZeros(await this.#readExtended(header))
      else if (header.type === 'K') longLink = withoutZeros(await this.#readExtended(header))
      else {
        yield* this.#member(header, pax, longName, longLink)
        pax = new Map()
        longName = longLink = undefined
      }
    }
  }

  async *#member(
    header: Header,
    own: Pax,
    longName: Buffer | undefined,
    longLink: Buffer | undefined,
  ): AsyncGenerator<TarMember> {
    const pax = new Map([...this.#global, ...own])
    // An empty value means the one of the header.
    const text = (key: string) => {
      const value = pax.get(key)
      return value && value.length > 0 ? value : undefined
    }
    const name = text('path') ?? longName ?? header.name
    const link = text('linkpath') ?? longLink ?? header.linkName
    const stored = Number(text('size')?.toString() ?? header.size)
    if (!Number.isSafeInteger(stored) || stored < 0) throw damaged()
    const kind = kindOf(header, name)
    // Volume labels and obsolete lists of names.
    if (kind === 'none') return this.#pass(stored)
    if (kind === 'part') throw new JobFailure('jobs.corrupt_input', message('archive.multi_volume'))

    // A file with holes: only its regions with data are stored.
    const hasHoles = header.type === 'S' || pax.keys().some(key => key.startsWith('GNU.sparse.'))
    if (hasHoles) throw new JobFailure('jobs.unsupported_input', message('archive.sparse'))
    const precise = Number(text('mtime')?.toString() ?? Number.NaN)
    const mtime = Number.isFinite(precise) ? precise : header.mtime
    const comment = own.get('comment')?.toString()
    const member: TarMember = {
      name,
      link,
      kind,
      size: kind === 'file' ? stored : 0,
      modified: Number.isFinite(mtime) ? new Date(mtime * 1000) : null,
      mode: Number.isFinite(header.mode) ? header.mode : null,
      ...(comment ? { comment } : {}),
    }
    if (kind !== 'file') {
      yield member
      // A list of names follows GNU's folders; after others, links and devices a size means nothing.
      if (header.type === 'D') await this.#pass(stored)
      return
    }
    const body = new Body(this.#source, stored)
    yield { ...member, data: body.read() }
    if (!(await this.#source.skip(body.left))) throw damaged()
    // The padding of the last member may be missing.
    await this.#source.skip(-stored & (BLOCK_BYTES - 1))
  }

  async #pass(size: number): Promise<void> {
    if (!(await this.#source.skip(Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES))) throw damaged()
  }

  async #readExtended({ size }: Header): Promise<Buffer> {
    if (!Number.isSafeInteger(size) || size < 0) throw damaged()
    if (size > EXTENDED_BYTES) {
      throw new JobFailure('jobs.too_large', message('archive.too_deep', { limit: ARCHIVE_LIMITS.depth }))
    }
    const bytes = await take(this.#source, size)
    if (bytes.length < size) throw damaged()
    await this.#source.skip(-size & (BLOCK_BYTES - 1))
    return bytes
  }

  async #readPax(header: Header): Promise<Pax> {
    const pax = parsePax(await this.#readExtended(header))
    if (!pax) throw damaged()
    return pax
  }

  #setGlobal(pax: Pax): void {
    this.#global = new Map([...this.#global, ...pax])
    // Git writes the archived commit like this.
    this.comment = this.#global.get('comment')?.toString() ?? this.comment
  }
}

/** The stored bytes of one file. */
class Body {
  left: number
  readonly #source: ByteSource

  constructor(source: ByteSource, length: number) {
    this.#source = source
    this.left = length
  }

  async *read(): AsyncGenerator<Uint8Array> {
    while (this.left > 0) {
      const piece = await this.#source.some(Math.min(this.left, CHUNK_BYTES))
      if (!piece) throw damaged()
      this.left -= piece.length
      yield piece
    }
  }
}

const withoutZeros = (bytes: Buffer) => {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

type Kind = RawEntry['kind'] | 'none' | 'part'

/** Kinds by the types of headers: links, devices and pipes, folders, parts of large files, and lists and labels. */
const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    1: 'hardlink',
    2: 'symlink',
    346: 'device',
    '5D': 'folder',
    M: 'part',
    ANV: 'none',
  } as const).flatMap(([types, kind]) => [...types].map((type): [string, Kind] => [type, kind])),
)

function kindOf({ type }: Header, name: Buffer): Kind {
  // V7 archives only mark folders by a trailing slash; unknown types are files, according to the standard.
  const isFolder = name.at(-1) === 0x2f && (type === '\0' || type === '0')
  return KINDS.get(type) ?? (isFolder ? 'folder' : 'file')
}
