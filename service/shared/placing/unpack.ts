/** Makes files of a result that is several, which comes as one ZIP. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
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
 * @param use gets the content of each and its path, relative and of names that every system has, wherever the archive says it leads
 * @returns what `use` returned, in the order of the archive
 * @throws DamagedResult if it cannot be unpacked, and the system's errors
 */
export async function unpackEach<T>(
  archive: string,
  use: (content: Readable, path: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  try {
    const zip = await openPromise(archive, { lazyEntries: true, autoClose: false })
    try {
      const files = filesOf(zip, (await stat(archive)).size)
      const work = async (): Promise<void> => {
        for await (const [index, entry] of files) {
          const path = join(...portableFolders(entry.fileName), portableName(entry.fileName))
          results[index] = await use(await contentOf(zip, entry), path)
        }
      }
      // One that fails ends the loops of the others.
      const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
      const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (failed) throw failed.reason
    } finally {
      zip.close()
    }
  } catch (error) {
    const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined
    if (isOfDisk || error instanceof DamagedResult) throw error
    throw new DamagedResult('The archive of the result is damaged.', { cause: error })
  }
  return results
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

/** The files of an archive, numbered; folders come with them. */
async function* filesOf(zip: ZipFile, size: number): AsyncGenerator<[index: number, entry: Entry]> {
  let [index, left] = [0, size * DEFLATE_RATIO]
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    left -= entry.uncompressedSize
    if (left < 0) throw new DamagedResult('The archive of the result claims to hold more than it can.')
    yield [index++, entry]
  }
}

/** The content of an entry, whose end is an error if it is not what was packed. */
async function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  let checksum = 0
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum)
      done(null, chunk)
    },
    flush(done) {
      done(
        checksum === entry.crc32
          ? null
          : new DamagedResult('A file in the archive of the result is damaged.'),
      )
    },
  })
  const source = await zip.openReadStreamPromise(entry)
  source.once('error', error => checked.destroy(error))
  // A small file may end before anybody reads it; who reads it then gets the error all the same.
  checked.on('error', () => {})
  return source.pipe(checked)
}
