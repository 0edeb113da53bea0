/** Opens archives of any format; some are read twice if their listing is needed first. */
import { open, stat } from 'node:fs/promises'
import { readAt } from '../common/read-at.ts'
import { ByteQueue, type ByteSource, FileBytes, take } from './byte-queue.ts'
import { dataOf } from './deb.ts'
import { gunzipped } from './gzip.ts'
import { Listing, type Warn } from './listing.ts'
import type { Archive, ArchiveEntry, Content, Member } from './model.ts'
import { namesWarning, type Origin } from './names.ts'
import { openSevenZip } from './seven-zip.ts'
import { BLOCK_BYTES, hasRightSum } from './tar/header.ts'
import { planOf, type TarPlan, Unplanned } from './tar/plan.ts'
import { type TarMember, TarReader } from './tar/read.ts'
import { type Compression, type FileRange, TrailingBytes, unpacked } from './unpacked.ts'
import { openZip } from './zip/read.ts'

const archiveFormats = [
  ...(['7z', 'cab', 'cpio', 'deb', 'rar', 'zip'] as const),
  ...(['tar', 'tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst'] as const),
  ...(['bz2', 'gz', 'xz', 'zst'] as const),
] as const

export type ArchiveFormat = (typeof archiveFormats)[number]

export const isArchiveFormat = (format: string): format is ArchiveFormat =>
  archiveFormats.some(known => known === format)

export interface OpenOptions {
  password: string | undefined
  /** Cores it may keep busy. */
  cores: number
  warn: Warn
  /** Name for members without one. */
  stem: string
  /** The encoding of names that are not in Unicode; guessed if it is not named. */
  encoding?: Origin['encoding']
  /** Whether a compressed TAR is read once before, as it must be after `NeedsPlan` was thrown. */
  isPlanned?: boolean
  /** Numbers of members that are left out, as `damagedMembers` gives them. */
  leaveOut?: ReadonlySet<number>
}

/** An archive as a stream of its members. */
export interface OpenedStream {
  members(): AsyncGenerator<Member>
  /** Known at the start, except for TAR, where it is known after all members. */
  comment(): string | undefined
  /** Total size of all files, if the listing is known. */
  contentBytes?: number
}

/** How many bytes after the end of a TAR are still read, so that the checksum of its compression is verified. */
const TRAILER_BYTES = 64 * 2 ** 20

/**
 * Opens an archive for reading its members once.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large; members throw the same, or NeedsPlan
 */
export async function openStream(
  path: string,
  format: ArchiveFormat,
  options: OpenOptions,
): Promise<OpenedStream> {
  if (isSingle(format) && !(await containsTar(path, format))) return openSingle(path, format, options)
  if (isTar(format) || isSingle(format)) return openTar(path, format, options)
  const archive = await openDirectory(path, format, options)
  const contentBytes = archive.entries.reduce((sum, { size }) => sum + size, 0)
  return { members: () => archive.members(), comment: () => archive.comment, contentBytes }
}

/**
 * Opens an archive with its whole listing, including targets of symbolic links.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large, or NeedsPlan; contents throw the same failures
 */
export async function openListed(
  path: string,
  format: ArchiveFormat,
  options: OpenOptions,
): Promise<Archive> {
  if (isTar(format) || isSingle(format)) return listed(path, format, options)
  const archive = await openDirectory(path, format, options)
  await archive.readLinks()
  return archive
}

/**
 * The numbers of the members whose content is damaged while others are whole, in archives that keep each by itself.
 * @throws JobFailure if more than the content of members is damaged
 */
export async function damagedMembers(
  path: string,
  format: ArchiveFormat,
  options: OpenOptions,
): Promise<ReadonlySet<number>> {
  if (isTar(format) || isSingle(format)) return new Set()
  const archive = await openDirectory(path, format, { ...options, warn: () => {} })
  const damaged = await archive.damagedItems()
  const files = archive.entries.filter(({ kind }) => kind === 'file').length
  return damaged.size < files ? damaged : new Set()
}

type Single = 'bz2' | 'gz' | 'xz' | 'zst'
type PackedTar = `tar-${Single}`
/** A package of Debian is a TAR within another archive. */
type TarFormat = 'deb' | 'tar' | PackedTar

/** What a name promises. */
const promised: Record<Single, Compression> = { bz2: 'bzip2', gz: 'gzip', xz: 'xz', zst: 'zstd' }

const isSingle = (format: ArchiveFormat): format is Single => Object.hasOwn(promised, format)
const isTar = (format: ArchiveFormat): format is TarFormat => format === 'deb' || format.startsWith('tar')

/** Opens an archive that has a directory. */
const openDirectory = (
  path: string,
  format: Exclude<ArchiveFormat, TarFormat | Single>,
  options: OpenOptions,
) => (format === 'zip' ? openZip(path, options) : openSevenZip(path, { format, ...options }))

async function openTar(
  path: string,
  format: TarFormat | Single,
  { cores, warn, encoding, isPlanned }: OpenOptions,
): Promise<OpenedStream> {
  const { size: archiveBytes } = await stat(path)
  let comment: string | undefined
  async function* raw(): AsyncGenerator<TarMember> {
    for await (const source of sourceOf(path, format, cores)) {
      const reader = new TarReader(source)
      yield* reader.members()
      comment = reader.comment
      // What follows a complete TAR.
      if (format !== 'tar') await source.skip(TRAILER_BYTES).catch(unlessTrailing)
    }
  }
  async function* members(): AsyncGenerator<Member> {
    // Reading a TAR for its headers alone is fast, unless all of it must be unpacked for that.
    const plan = format === 'tar' || isPlanned ? await planOf(raw(), encoding) : undefined
    const listing = new Listing({ archiveBytes })
    yield* renamed(raw(), listing, plan)
    if (plan?.decoder.isGuess) warn(namesWarning(plan.decoder))
    listing.report(warn)
  }
  return { members, comment: () => comment }
}

/** The members of a TAR with their names in the new archive. */
async function* renamed(
  members: AsyncIterable<TarMember>,
  listing: Listing,
  plan: TarPlan | undefined,
): AsyncGenerator<Member> {
  const unplanned = new Unplanned()
  const decode = (bytes: Buffer) => (plan ? plan.decoder.decode(bytes) : bytes.toString())
  let index = 0
  for await (const member of members) {
    if (!plan) unplanned.check(member)
    const change = plan?.changes.get(index++)
    if (change === null) continue
    const { name, link, data, ...rest } = { ...member, ...change }
    const { kind } = rest
    const target = kind === 'symlink' || kind === 'hardlink' ? { target: decode(link) } : {}
    const entry = listing.add({ ...rest, path: decode(name), ...target })
    if (entry) yield { entry, ...(data ? { data } : {}) }
  }
}

/** Yields the bytes of the TAR once, and closes their source afterwards. */
async function* sourceOf(
  path: string,
  format: TarFormat | Single,
  cores: number,
): AsyncGenerator<ByteSource> {
  const place: FileRange = format === 'deb' ? await dataOf(path) : { path }
  const compression = format === 'tar' ? undefined : await compressionOf(place, format)
  if (!compression) {
    await using file = await open(path)
    const { start = 0, end } = place
    yield new FileBytes(file, start, end === undefined ? (await file.stat()).size : end + 1)
    return
  }
  const stream = streamOf(place, compression, cores)
  try {
    yield new ByteQueue(stream)
  } finally {
    await stream.return(undefined)
  }
}

/** First bytes of compressed files: compressed TARs often have the name of another compression. */
const compressions: readonly [string, Compression][] = [
  ['1f8b', 'gzip'],
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'zstd'],
]

/** The compression that a file has, otherwise what its name promises; undefined for a TAR in a package that has none. */
async function compressionOf(
  { path, start = 0 }: FileRange,
  format: Exclude<TarFormat, 'tar'> | Single,
): Promise<Compression | undefined> {
  await using file = await open(path)
  const head = (await readAt(file, start, 6)).toString('hex')
  const found = compressions.find(([magic]) => head.startsWith(magic))?.[1]
  return found ?? (format === 'deb' ? undefined : promised[format.replace('tar-', '') as Single])
}

const streamOf = (place: FileRange, compression: Compression, cores: number) =>
  compression === 'gzip' ? gunzipped(place) : unpacked(place, compression, cores)

/** Whether a compressed file is a TAR, whatever its name. @throws JobFailure corrupt_input */
async function containsTar(path: string, format: Single): Promise<boolean> {
  for await (const source of sourceOf(path, format, 1)) {
    const head = await take(source, BLOCK_BYTES)
    return head.length === BLOCK_BYTES && hasRightSum(head)
  }
  return false
}

/** The file in a compressed file, as the only member. Its size is only known once it has been unpacked. */
async function openSingle(
  path: string,
  format: Single,
  { cores, stem, warn }: OpenOptions,
): Promise<OpenedStream> {
  const { size: archiveBytes } = await stat(path)
  const content = async function* () {
    yield* withoutTrailer(streamOf({ path }, (await compressionOf({ path }, format))!, cores))
  }
  const listing = new Listing({ archiveBytes })
  const raw = { path: stem, kind: 'file', modified: null, mode: null } as const
  const entry = listing.add({ ...raw, size: await lengthOf(content(), listing.allowance) })!
  async function* members(): AsyncGenerator<Member> {
    yield { entry, data: content() }
    listing.report(warn)
  }
  return { members, comment: () => undefined, contentBytes: entry.size }
}

/** How many bytes come; a little more than `most` if there are more. */
async function lengthOf(content: AsyncIterable<Uint8Array>, most: number): Promise<number> {
  let length = 0
  for await (const { length: bytes } of content) {
    length += bytes
    if (length > most) break
  }
  return length
}

async function* withoutTrailer(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    unlessTrailing(error)
  }
}

function unlessTrailing(error: unknown): void {
  if (!(error instanceof TrailingBytes)) throw error
}

async function listed(path: string, format: TarFormat | Single, options: OpenOptions): Promise<Archive> {
  const { members, comment } = await openStream(path, format, options)
  const entries = await Array.fromAsync(members(), ({ entry }) => entry)
  const text = comment()
  async function* contents(): AsyncGenerator<{ entry: ArchiveEntry; data: Content }> {
    // All warnings were given with the listing.
    const again = await openStream(path, format, { ...options, warn: () => {} })
    let index = 0
    for await (const { data } of again.members()) {
      const entry = entries[index++]
      if (data && entry) yield { entry, data }
    }
  }
  return { entries, contents, ...(text ? { comment: text } : {}) }
}
