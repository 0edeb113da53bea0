import { isDeepStrictEqual } from 'node:util'
import type { BlobPlace } from '../../shared/blob-place.ts'
import { isMarked, nameOf, storeOfBlobs, writeMark } from '../blob-ownership.ts'
import { openBlobs } from '../blobs.ts'
import type { BlobStore } from '../interfaces/blobs.ts'
import { undefinedIfGone } from '../interfaces/errors.ts'
import { fileBlobs, jobBlobs } from '../interfaces/keys.ts'
import { numberOrNull } from '../sql/sql.ts'
import type { HomeDatabase } from './home.ts'

export interface CopiedContents {
  /** Number and bytes of the contents that are in the new place now. */
  number: number
  bytes: number
  /** Keys of contents that are no longer in the old place. */
  missing: string[]
}

/** Contents copied at once, since each request to a storage takes a while. */
const AT_ONCE = 4

/** Where the database of a data folder keeps its file contents. */
export async function placeOf(
  home: HomeDatabase,
  ownerId: string,
  setting: BlobPlace | null,
): Promise<BlobPlace | null> {
  const row =
    await home.get`SELECT value FROM settings WHERE account_id = ${ownerId} AND name = ${storeOfBlobs}`
  // The setting names the old place if the database has already used it; otherwise it names the new one.
  return setting !== null && row && JSON.parse(String(row.value)) === nameOf(setting) ? setting : null
}

/**
 * Copies what jobs and staged files still need to another blob store, after marking that store as the owner's. Contents that are
 * already there with the same length are not copied again.
 * @param folder for files on their way from one storage to another
 */
export async function copyContents(
  home: HomeDatabase,
  ownerId: string,
  from: { home: string; place: BlobPlace | null },
  to: BlobPlace,
  folder: string,
): Promise<CopiedContents> {
  const copied: CopiedContents = { number: 0, bytes: 0, missing: [] }
  if (isDeepStrictEqual(from.place, to)) return copied
  await using source = await openBlobs({
    home: from.place === null ? from.home : folder,
    blobs: from.place,
  })
  await using target = await openBlobs({ home: folder, blobs: to })
  if (!(await isMarked(target, to, ownerId))) await writeMark(target, ownerId)
  const keys = neededBlobs(home)
  const copyOnes = async () => {
    for (const key of keys) {
      const bytes = await copyOne(source, target, key)
      if (bytes === undefined) copied.missing.push(key)
      else {
        copied.number++
        copied.bytes += bytes
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, copyOnes))
  return copied
}

/** @returns its length; undefined if it is missing */
async function copyOne(source: BlobStore, target: BlobStore, key: string): Promise<number | undefined> {
  const bytes = await lengthOf(source, key)
  if (bytes === undefined || (await lengthOf(target, key)) === bytes) return bytes
  await using file = await source.checkout(key)
  await target.clone(key, file.path)
  const received = await lengthOf(target, key)
  if (received !== bytes)
    throw new Error(`Of ${key}, ${bytes} bytes were copied and ${received ?? 0} are there.`)
  return bytes
}

async function lengthOf(store: BlobStore, key: string): Promise<number | undefined> {
  const opened = await store.open(key).catch(undefinedIfGone)
  opened?.stream.on('error', () => {}).destroy()
  return opened?.bytes
}

/** Keys of waiting inputs, of downloadable results and of staged files. */
function* neededBlobs(home: HomeDatabase): Generator<string> {
  const jobs = home.each(
    `SELECT id, input_source, output_key, output_kept FROM jobs
     WHERE status IN ('Queued', 'Running') OR output_kept = 1`,
  )
  for (const { id, input_source, output_key, output_kept } of jobs) {
    if (numberOrNull(output_kept) === 1) yield String(output_key)
    else if (isBlob(input_source)) yield jobBlobs.input(String(id))
  }
  for (const { id, source } of home.each('SELECT id, source FROM files'))
    if (isBlob(source)) yield fileBlobs.content(String(id))
}

const isBlob = (source: unknown) => (JSON.parse(String(source)) as { kind: string }).kind === 'blob'
