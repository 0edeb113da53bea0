import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BlobPlace } from '../blob-place.ts'
import type { BlobStore } from '../stores/blobs.ts'
import { orGone, StoreUnavailable } from '../stores/errors.ts'
import type { Stores } from '../stores/stores.ts'

/** Key of the blob that says to which database a shared store of blobs belongs. */
export const BLOBS_MARK = 'refile-store'
/** Name of the owner's setting that says which store of blobs this database has marked. */
export const storeOfBlobs = 'blobs.store'

/** What a store of blobs is called in that setting, and to people. */
export const nameOf = (place: BlobPlace): string =>
  place.kind === 'folder' ? place.path : `${place.bucket}/${place.prefix}`

/**
 * Holds a database and a store of blobs outside of its data folder together by a mark, which is the id of the owner's account.
 * Of a store that belongs to another database this one would delete everything as strays; and where a mark is gone that
 * was set, a disk is not connected.
 * @throws StoreUnavailable when they do not belong together
 */
export async function holdTogether(
  { blobs, settings }: Pick<Stores, 'blobs' | 'settings'>,
  place: BlobPlace,
  ownerId: string,
): Promise<void> {
  const name = nameOf(place)
  // Asked for first: hosts that start at once set the mark before they note it.
  const known = await settings.get(ownerId, storeOfBlobs)
  if (!(await isMarked(blobs, place, ownerId))) {
    if (known === name) {
      throw new StoreUnavailable(`REFILE_BLOBS: what was in ${name} is gone. Is the disk connected?`)
    }
    await writeMark(blobs, ownerId)
  }
  await settings.put(ownerId, storeOfBlobs, name)
}

/**
 * Whether a store of blobs carries the mark of a database.
 * @throws StoreUnavailable when it carries that of another
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
  const opened = await blobs.open(BLOBS_MARK).catch(orGone)
  return opened && (await text(opened.stream)).trim()
}

/** Marks a store of blobs as that of the database with this owner. */
export async function writeMark(blobs: BlobStore, mark: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-mark-'))
  try {
    await writeFile(join(folder, 'mark'), `${mark}\n`)
    await blobs.put(BLOBS_MARK, join(folder, 'mark'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
