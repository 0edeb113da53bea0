/** Archives whose members, including targets of symbolic links, come in one stream. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Listing, RawEntry, Warn } from './listing.ts'
import type { Archive, ArchiveEntry, Content, Member } from './model.ts'

/** Longest accepted target of a symbolic link. */
const LINK_BYTES = 65_536

/** An archive with its members in order; the target of a symbolic link is known at the latest when its entry comes. */
export interface ReadArchive extends Archive {
  members(): AsyncGenerator<Member>
}

/** A member of the stream. */
export interface Item {
  raw: RawEntry
  /** Number of bytes in the stream, whatever its kind. */
  size: number
  crc: number | undefined
  isFolder: boolean
  isEncrypted: boolean
  /** Whether its bytes are the target of a symbolic link. */
  isLinkText: boolean
}

/** What is kept of an item, of which there may be a million. */
export type Kept = Omit<Item, 'raw'> & { entry: ArchiveEntry | undefined }

/** Yields every item that is not a folder by its number, in order, or at least the requested ones. */
export type Unpack = (
  items: readonly Kept[],
  isWanted?: (index: number) => boolean,
) => AsyncGenerator<{ index: number; data: Content }>

export interface StreamedOptions {
  listing: Listing
  warn: Warn
  comment?: string | undefined
  /** Numbers of items that are left out because they are damaged. */
  leaveOut?: ReadonlySet<number> | undefined
}

export class StreamedArchive implements ReadArchive {
  readonly entries: readonly ArchiveEntry[]
  readonly comment?: string
  readonly #items: readonly Kept[]
  readonly #unpack: Unpack
  readonly #listing: Listing
  readonly #warn: Warn
  #hasLinks = false

  constructor(items: Iterable<Item>, unpack: Unpack, { listing, warn, comment, leaveOut }: StreamedOptions) {
    this.#unpack = unpack
    this.#listing = listing
    this.#warn = warn
    if (comment) this.comment = comment
    this.#items = Array.from(items, ({ raw, size, crc, isFolder, isEncrypted, isLinkText }, index) => {
      if (isLinkText && size > LINK_BYTES) {
        throw new JobFailure('jobs.corrupt_input', message('archive.damaged'))
      }
      const entry = leaveOut?.has(index) ? listing.leaveOut(raw) : listing.add(raw)
      return { size, crc, isFolder, isEncrypted, isLinkText, entry }
    })
    this.entries = this.#items.flatMap(({ entry }) => entry ?? [])
  }

  /** Reads the targets of all symbolic links in advance, if some are in the data. */
  async readLinks(): Promise<void> {
    let left = this.#items.filter(({ isLinkText, entry }) => isLinkText && entry).length
    if (left > 0) {
      for await (const { index, data } of this.#unpack(
        this.#items,
        index => this.#items[index]!.isLinkText,
      )) {
        const { entry, isLinkText } = this.#items[index]!
        if (!isLinkText || !entry) continue
        await this.#readLink(entry, data)
        if (--left === 0) break
      }
    }
    this.#hasLinks = true
  }

  /**
   * The numbers of the items whose content is not what was packed. Reads all of them.
   * @throws JobFailure if it is not the content alone that is damaged
   */
  async damagedItems(): Promise<Set<number>> {
    const damaged = new Set<number>()
    for await (const { index, data } of this.#unpack(this.#items)) {
      try {
        for await (const _ of data);
      } catch (error) {
        if (!isCorrupt(error)) throw error
        damaged.add(index)
      }
    }
    return damaged
  }

  async *contents(): AsyncGenerator<{ entry: ArchiveEntry; data: Content }> {
    for await (const { entry, data } of this.members()) if (data) yield { entry, data }
  }

  async *members(): AsyncGenerator<Member> {
    const unpacked = this.#unpack(this.#items)
    try {
      for (const { entry, isFolder, isLinkText } of this.#items) {
        const next = isFolder ? undefined : await unpacked.next()
        const data = next && !next.done ? next.value.data : undefined
        if (entry && data && isLinkText && !this.#hasLinks) await this.#readLink(entry, data)
        if (entry) yield entry.kind === 'file' && data ? { entry, data } : { entry }
      }
      // After the last member, where the end is verified.
      await unpacked.next()
    } finally {
      await unpacked.return(undefined)
    }
    this.#listing.report(this.#warn)
  }

  async #readLink(entry: ArchiveEntry, data: Content): Promise<void> {
    const chunks = await Array.fromAsync(data, chunk => Buffer.from(chunk))
    this.#listing.setTarget(entry, Buffer.concat(chunks).toString())
  }
}

const isCorrupt = (error: unknown) => error instanceof JobFailure && error.code === 'jobs.corrupt_input'
