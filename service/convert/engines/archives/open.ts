/** Opens archives of any format; some are read twice if their listing is needed first. */
import { open, stat } from 'node:fs/promises'
import { ByteQueue, type ByteSource, FileBytes } from '../formats/byte-queue.ts'
import { gunzipped } from './gzip.ts'
import { Listing, type Warn } from './listing.ts'
import type { Archive, Content, Entry, Member } from './model.ts'
import { namesWarning, type Origin } from './names.ts'
import { openSevenZip } from './seven-zip.ts'
import { planOf, type TarPlan, Unplanned } from './tar/plan.ts'
import { type TarMember, TarReader } from './tar/read.ts'
import { type Compression, TrailingBytes, unpacked } from './unpacked.ts'
import { openZip } from './zip/read.ts'

const archiveFormats = ['7z', 'cpio', 'rar', 'tar', 'tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst', 'zip'] as const

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
  if (isTar(format)) return openTar(path, format, options)
  const archive = await openDirectory(path, format, options)
  const contentBytes = archive.entries.reduce((sum, { size }) => sum + size, 0)
  return { members: () => archive.members(), comment: () => archive.comment, contentBytes }
}

/**
 * Opens an archive with its whole listing, including targets of symbolic links.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large; contents throw the same
 */
export async function openListed(
  path: string,
  format: ArchiveFormat,
  options: OpenOptions,
): Promise<Archive> {
  if (isTar(format)) return listTar(path, format, options)
  const archive = await openDirectory(path, format, options)
  await archive.readLinks()
  return archive
}

type TarFormat = 'tar' | PackedTar
type PackedTar = 'tar-bz2' | 'tar-gz' | 'tar-xz' | 'tar-zst'

/** What a name promises. */
const promised: Record<PackedTar, Compression> = {
  'tar-bz2': 'bzip2',
  'tar-gz': 'gzip',
  'tar-xz': 'xz',
  'tar-zst': 'zstd',
}

const isTar = (format: ArchiveFormat): format is TarFormat => format.startsWith('tar')

/** Opens an archive that has a directory. */
const openDirectory = (path: string, format: Exclude<ArchiveFormat, TarFormat>, options: OpenOptions) =>
  format === 'zip' ? openZip(path, options) : openSevenZip(path, { format, ...options })

async function openTar(
  path: string,
  format: TarFormat,
  { cores, warn, encoding, isPlanned }: OpenOptions,
): Promise<OpenedStream> {
  const { size: archiveBytes } = await stat(path)
  let comment: string | undefined
  async function* raw(): AsyncGenerator<TarMember> {
    for await (const source of sourceOf(path, format, cores)) {
      const reader = new TarReader(source)
      yield* reader.members()
      comment = reader.comment
      if (format !== 'tar') await readTrailer(source)
    }
  }
  async function* members(): AsyncGenerator<Member> {
    // Reading a TAR for its headers alone is fast, unless all of it must be unpacked for that.
    const plan = format === 'tar' || isPlanned ? await planOf(raw(), encoding) : undefined
    const listing = new Listing({ archiveBytes })
    yield* placed(raw(), listing, plan)
    if (plan?.decoder.isGuess) warn(namesWarning(plan.decoder))
    listing.report(warn)
  }
  return { members, comment: () => comment }
}

/** The members of a TAR with their names in the new archive. */
async function* placed(
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

/** Continues reading after the end of a complete TAR. */
async function readTrailer(source: ByteSource): Promise<void> {
  try {
    await source.skip(TRAILER_BYTES)
  } catch (error) {
    if (!(error instanceof TrailingBytes)) throw error
  }
}

/** Yields the bytes of the TAR once, and closes their source afterwards. */
async function* sourceOf(path: string, format: TarFormat, cores: number): AsyncGenerator<ByteSource> {
  if (format === 'tar') {
    await using file = await open(path)
    yield new FileBytes(file, 0, (await file.stat()).size)
    return
  }
  const compression = (await compressionOf(path)) ?? promised[format]
  const stream = compression === 'gzip' ? gunzipped(path) : unpacked(path, compression, cores)
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

async function compressionOf(path: string): Promise<Compression | undefined> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(6), 0, 6, 0)
  const head = buffer.toString('hex', 0, bytesRead)
  return compressions.find(([start]) => head.startsWith(start))?.[1]
}

async function listTar(path: string, format: TarFormat, options: OpenOptions): Promise<Archive> {
  const { members, comment } = await openTar(path, format, options)
  const entries: Entry[] = []
  for await (const { entry } of members()) entries.push(entry)
  const text = comment()
  async function* contents(): AsyncGenerator<{ entry: Entry; data: Content }> {
    // All warnings were given with the listing.
    const again = await openTar(path, format, { ...options, warn: () => {} })
    let index = 0
    for await (const { data } of again.members()) {
      const entry = entries[index++]
      if (data && entry) yield { entry, data }
    }
  }
  return { entries, contents, ...(text ? { comment: text } : {}) }
}
