import { existsSync, globSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { hashOfFile } from '../../service/shared/file-hash.ts'
import { builder } from '../packaging/command-line.ts'
import { temporaryFolder } from '../temporary.ts'

/** A feed of updates as electron-builder writes it, `latest*.yml`: one for each system, and for Linux for each processor. */
export interface Feed {
  version: string
  files: { url: string; sha512: string; size: number }[]
  /** The first file again, for old versions of electron-updater. */
  path: string
  sha512: string
  releaseDate: string
}

export const readFeed = (path: string): Feed => parse(readFileSync(path, 'utf8')) as Feed

export const feedsIn = (folder: string): string[] => globSync('latest*.yml', { cwd: folder }).toSorted()

/**
 * Compares the feeds in a folder with the files beside them, and those with the lists of their blocks.
 * @returns names of the files that the feeds offer
 * @throws Error if there is no feed, or one has another version, or a file is missing or differs, or was
 * changed, as by signing, after its blocks were listed: updates would then fetch all of it
 */
export async function verifyFeeds(folder: string, version: string): Promise<string[]> {
  const names = feedsIn(folder)
  if (names.length === 0) throw new Error(`There is no feed of updates in ${folder}.`)
  const offered = new Set<string>()
  for (const name of names) {
    const feed = readFeed(join(folder, name))
    if (feed.version !== version) throw new Error(`${name} offers ${feed.version}, not ${version}.`)
    if (feed.files.length === 0) throw new Error(`${name} offers no file.`)
    for (const { url, sha512, size } of [...feed.files, { ...feed, url: feed.path, size: undefined }]) {
      const file = join(folder, url)
      const bytes = await stat(file).then(
        ({ size }) => size,
        () => null,
      )
      if (bytes === null) throw new Error(`${name} offers ${url}, which is missing.`)
      if (size !== undefined && bytes !== size)
        throw new Error(`${name} says that ${url} has ${size} bytes, but it has ${bytes}.`)
      if ((await hashOfFile(file, 'sha512', 'base64')) !== sha512)
        throw new Error(`${url} is not the file that ${name} offers.`)
      await verifyBlocks(file)
      offered.add(url)
    }
  }
  return [...offered].toSorted()
}

async function verifyBlocks(file: string): Promise<void> {
  const listed = `${file}.blockmap`
  if (!existsSync(listed)) return
  using temporary = temporaryFolder('blocks')
  const again = join(temporary.path, 'blockmap')
  await builder('out/targets/blockmap/blockmap.js').buildBlockMap(file, 'gzip', again)
  if (!gunzipSync(readFileSync(again)).equals(gunzipSync(readFileSync(listed))))
    throw new Error(`${basename(listed)} has not the blocks of its file.`)
}
