import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { Result } from '../sdk/src/index.ts'
import { portableFolders, portableName } from '../service/shared/names/names.ts'
import { receive } from '../service/shared/watch/saving.ts'
import { type Existing, Names, writeResult } from './results.ts'

/** Deflate makes nothing smaller than this part of itself. */
const DEFLATE_RATIO = 1032

/** Files that are unpacked at once: of small ones, most time goes into waiting for the disk. */
const AT_ONCE = 16

/** A result that is not what it should be. */
export class DamagedResult extends Error {
  override readonly name: string = 'DamagedResult'
  readonly code = 'result.damaged'
}

/** Saves the files of a result that is several, in the folder of the path planned for it; returns their paths. */
export async function unpackResult(
  result: Result,
  path: string,
  existing: Existing,
  names: Names,
): Promise<string[]> {
  const archive = await receive(await result.stream(), path, randomBytes(4).toString('hex'))
  try {
    return await unpack(archive, dirname(path), existing, names)
  } finally {
    await rm(archive, { force: true })
  }
}

/**
 * Saves the files of a ZIP below a folder, under names that every system has. One whose names lead elsewhere is refused, and links
 * become plain files.
 * @returns their paths
 * @throws DamagedResult if it cannot be unpacked; nothing of it is then left
 */
export async function unpack(
  path: string,
  folder: string,
  existing: Existing,
  names: Names = new Names(),
): Promise<string[]> {
  const saved: string[] = []
  try {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    try {
      const files = filesOf(zip, (await stat(path)).size)
      const work = async (): Promise<void> => {
        for await (const [index, entry] of files) {
          const target = join(folder, ...portableFolders(entry.fileName), portableName(entry.fileName))
          const free = existing === 'overwrite' ? names.free(target, entry) : target
          saved[index] = await writeResult(await contentOf(zip, entry), free, existing, false)
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
    await Promise.all(saved.map(file => rm(file, { force: true })))
    const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined
    if (isOfDisk || error instanceof DamagedResult) throw error
    throw new DamagedResult('The archive of the result is damaged.', { cause: error })
  }
  return saved
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
