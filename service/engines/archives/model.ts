/** What every archive format holds, as its reader tells it and every writer takes it. */

/** One member of an archive. */
export interface Entry {
  /** Relative, its parts separated by `/`, no two alike, none `.` or `..` nor a drive, without a slash at either end. */
  path: string
  kind: 'file' | 'folder' | 'symlink' | 'hardlink'
  /** Bytes of a file; 0 for everything else. */
  size: number
  modified: Date | null
  /** Permission bits with setuid, setgid and sticky (`0o7777` at most); null where the archive has none. */
  mode: number | null
  /** Text of a symbolic link, which may lead anywhere; path of the file a hard link means, which comes before it. */
  target?: string
  comment?: string
}

/**
 * A file's bytes, in order; exactly as many as `size` says once they are read to the end without an error. Each piece is
 * valid until the next is asked for.
 */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array | Promise<Uint8Array>>

/** An entry on its way to a writer; files have data, which is read before the next member is asked for. */
export interface Member {
  entry: Entry
  data?: Content
}

/** An archive whose listing is known and whose files come in the listing's order. */
export interface Archive {
  entries: readonly Entry[]
  comment?: string
  /** The files alone, in the order of `entries`; data that is not read is skipped. */
  contents(): AsyncIterable<{ entry: Entry; data: Content }>
}

/** All entries of an archive in the order of its listing, files with their data. */
export async function* membersOf({ entries, contents }: Archive): AsyncGenerator<Member> {
  const files = contents()[Symbol.asyncIterator]()
  try {
    for (const entry of entries) {
      if (entry.kind !== 'file') {
        yield { entry }
        continue
      }
      const next = await files.next()
      if (next.done || next.value.entry !== entry) throw new Error(`the data of ${entry.path} is missing`)
      yield next.value
    }
  } finally {
    await files.return?.()
  }
}
