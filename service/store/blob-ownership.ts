import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BlobPlace } from '../shared/blob-place.ts'
import type { BlobStore } from './interfaces/blobs.ts'
import { StoreUnavailable, undefinedIfGone } from './interfaces/errors.ts'
import type { Stores } from './interfaces/stores.ts'

/** Key of the blob that says to which database a shared blob store belongs. */
export const BLOBS_MARK = 'refile-store'
/** The owner's setting that records which blob store this database has marked. */
export const storeOfBlobs = 'blobs.store'

/** Name of a blob store, in that setting and for people. */
export const nameOf = (place: BlobPlace): string =>
  place.kind === 'folder' ? place.path : `${place.bucket}/${place.prefix}`

/**
 * Makes sure that a database and a blob store outside its data folder belong together, by a mark with the id of the owner's
 * account. In a store of another database, this one would delete everything as strays; if a mark that was set is gone, a
 * disk is not connected; and hosts that share a database share one store.
 * @throws StoreUnavailable if they do not belong together
 */
export async function verifyBlobOwnership(
  { blobs, settings, isShared }: Pick<Stores, 'blobs' | 'settings' | 'isShared'>,
  place: BlobPlace,
  ownerId: string,
): Promise<void> {
  const name = nameOf(place)
  // Read first: hosts that start at once set the mark before they record it.
  const known = await settings.get(ownerId, storeOfBlobs)
  if (!(await isMarked(blobs, place, ownerId))) {
    if (known === name) {
      throw new StoreUnavailable(`REFILE_BLOBS: what was in ${name} is gone. Is the disk connected?`)
    }
    if (isShared && known !== undefined) {
      throw new StoreUnavailable(
        `REFILE_BLOBS: ${name} is not where the other hosts of this database keep files, which is ${String(known)} there. Name the same on all; to move, copy everything in it first, with ${BLOBS_MARK}.`,
      )
    }
    await writeMark(blobs, ownerId)
  }
  await settings.put(ownerId, storeOfBlobs, name)
}

/**
 * Whether a blob store carries the mark of a database.
 * @throws StoreUnavailable if it carries the mark of another one
 */
export async function isMarked(blobs: BlobStore, place: BlobPlace, ownerId: string): Promise<boolean> {
  const mark = await readMark(blobs)
  if (mark !== undefined && mark !== ownerId) {
    throw new StoreUnavailable(
      `REFILE_BLOBS: ${nameOf(place)} belongs to another database. Give each its own.`,
    )
  }
  return mark !== undefined
}

async function readMark(blobs: BlobStore): Promise<string | undefined> {
  const opened = await blobs.open(BLOBS_MARK).catch(undefinedIfGone)
  return opened && (await text(opened.stream)).trim()
}

/** Marks a blob store as belonging to the database with this owner. */
export async function writeMark(blobs: BlobStore, mark: string): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'refile-mark-'))
  const path = join(folder.path, 'mark')
  await writeFile(path, `${mark}\n`)
  await blobs.put(BLOBS_MARK, path)
}
