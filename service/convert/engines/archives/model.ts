/** The common model of all archive formats, for readers and writers. */

/** One member of an archive. */
export interface ArchiveEntry {
  /** Relative, with parts separated by `/`, unique, without `.`, `..`, a drive, or a slash at either end. */
  path: string
  kind: 'file' | 'folder' | 'symlink' | 'hardlink'
  /** Bytes of a file; 0 for everything else. */
  size: number
  modified: Date | null
  /** Permission bits with setuid, setgid and sticky (`0o7777` at most); null if the archive has none. */
  mode: number | null
  /** Target of a symbolic link, which may be anywhere; for a hard link, the path of a file that comes before it. */
  target?: string
  comment?: string
}

const TYPES = { file: 0o100000, hardlink: 0o100000, folder: 0o040000, symlink: 0o120000 } as const
const USUAL_MODES = { file: 0o644, hardlink: 0o644, folder: 0o755, symlink: 0o777 } as const

/** The permission bits of an entry: its own, or those that are usual. */
export const modeOf = ({ kind, mode }: Pick<ArchiveEntry, 'kind' | 'mode'>): number =>
  mode ?? USUAL_MODES[kind]

/** The mode of POSIX: the type of a file with its permission bits. */
export const typeAndMode = (entry: Pick<ArchiveEntry, 'kind' | 'mode'>): number =>
  TYPES[entry.kind] | modeOf(entry)

/**
 * A file's bytes, in order; exactly `size` bytes once they are read to the end without an error. Each piece is valid
 * until the next one is requested.
 */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array | Promise<Uint8Array>>

/** An entry for a writer; files have data, which must be read before the next member is requested. */
export interface Member {
  entry: ArchiveEntry
  data?: Content
}

/** An archive whose listing is known and whose files come in the listing's order. */
export interface Archive {
  entries: readonly ArchiveEntry[]
  comment?: string
  /** Only the files, in the order of `entries`; unread data are skipped. */
  contents(): AsyncIterable<{ entry: ArchiveEntry; data: Content }>
}
