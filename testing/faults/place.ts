import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folders that the lives of one service use. */
export interface Place {
  folder: string
  home: string
  /** Folder that batches save to. */
  results: string
  /** A file of a person's own, and what is in it. */
  original: { path: string; content: string }
  /** Path of the journal. */
  journal: string
}

export const placeIn = (folder: string): Place => ({
  folder,
  home: join(folder, 'home'),
  results: join(folder, 'results'),
  original: { path: join(folder, 'own.jpg'), content: 'fine, a file of a person’s own' },
  journal: join(folder, 'journal'),
})

export async function newPlace(): Promise<Place & AsyncDisposable> {
  const place = placeIn(await mkdtemp(join(tmpdir(), 'refile-faults-')))
  await mkdir(place.results)
  await writeFile(place.original.path, place.original.content)
  await writeFile(place.journal, '')
  return { ...place, [Symbol.asyncDispose]: () => rm(place.folder, { recursive: true, force: true }) }
}
