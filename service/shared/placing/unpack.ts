/** Makes files of a result that is several, which comes as one ZIP. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { hashOfFile } from '../file-hash.ts'
import { portableFolders, portableName } from '../names/names.ts'

/** Deflate makes nothing smaller than this part of itself. */
const DEFLATE_RATIO = 1032

/** Files that are unpacked at once: of small ones, most time goes into waiting for the disk. */
const AT_ONCE = 16

/** A result that is not what it should be. */
export class DamagedResult extends Error {
  override readonly name: string = 'DamagedResult'
  readonly code = 'result.damaged'
}

/**
 * Reads the files of a ZIP, several at once.
 * @param use gets the content of each, its path, relative and of names that every system has, wherever the archive says it leads, and its time
 * in milliseconds since 1970
 * @returns what `use` returned, in the order of the archive
 * @throws DamagedResult if it cannot be unpacked, and the system's errors
 */
export async function unpackEach<T>(
  archive: string,
  use: (content: AsyncIterable<Uint8Array>, path: string, modifiedAt: number) => Promise<T>,
): Promise<T[]> {
  let zip: ZipFile | undefined
  try {
    const opened = await openPromise(archive, { lazyEntries: true, autoClose: false })
    zip = opened
    const unpack = async (entry: Entry) => {
      const path = join(...portableFolders(entry.fileName), portableName(entry.fileName))
      const content = checked(await opened.openReadStreamPromise(entry), entry)
      return use(content, path, entry.getLastModDate().getTime())
    }
    // One that fails leaves the others time to end.
    const ended = Readable.from(await filesOf(opened, (await stat(archive)).size)).map(
      (entry: Entry) => Promise.allSettled([unpack(entry)]),
      { concurrency: AT_ONCE },
    )
    const results: PromiseSettledResult<T>[] = (await ended.toArray()).flat()
    return results.map(result => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
  } catch (error) {
    const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined
    if (isOfDisk || error instanceof DamagedResult) throw error
    throw new DamagedResult('The archive of the result is damaged.', { cause: error })
  } finally {
    zip?.close()
  }
}

/** Whether a folder has all files of a ZIP, as they are there. */
export async function holds(folder: string, archive: string): Promise<boolean> {
  const same = await unpackEach(archive, async (content, path) => {
    const hash = createHash('sha256')
    await pipeline(content, hash)
    return hash.digest('hex') === (await hashOfFile(join(folder, path)).catch(() => ''))
  })
  return same.every(each => each)
}

/** The files of an archive; folders come with them. */
async function filesOf(zip: ZipFile, size: number): Promise<Entry[]> {
  const entries = await Array.fromAsync(zip.eachEntry())
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (bytes > size * DEFLATE_RATIO)
    throw new DamagedResult('The archive of the result claims to hold more than it can.')
  return entries.filter(({ fileName }) => !fileName.endsWith('/'))
}

/** The content of an entry, whose end is an error if it is not what was packed. */
async function* checked(content: AsyncIterable<Uint8Array>, entry: Entry): AsyncGenerator<Uint8Array> {
  let checksum = 0
  for await (const chunk of content) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc32) throw new DamagedResult('A file in the archive of the result is damaged.')
}
