import { readFile, writeFile } from 'node:fs/promises'
import { type Blocks, describedBlocks } from '../../../engines/pictures/metadata/description.ts'
import { streamOf } from '../../../engines/pictures/metadata/exif.ts'
import { withBlocks } from '../../../engines/pictures/metadata/insert.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { type Encoded, openPicture } from '../../../engines/pictures/sharp/picture.ts'
import type { ImageSettings } from './settings.ts'

/** What stays of a picture's metadata, and what the settings add; undefined if that is nothing. */
export async function metadataOf(
  source: Pixels | Encoded,
  { metadata }: Pick<ImageSettings, 'metadata'>,
): Promise<Blocks | undefined> {
  const isSaid = Object.values(metadata.description).some(value => value)
  if (metadata.keep === 'none' && !isSaid) return undefined
  const blocks = describedBlocks(await blocksOf(source), metadata)
  return Object.values(blocks).some(block => block) ? blocks : undefined
}

/** The metadata of a picture as its file has them. */
export async function blocksOf(source: Pixels | Encoded): Promise<Blocks> {
  if (!('encoded' in source)) return { exif: source.exif, xmp: source.xmp }
  const { exif, xmp, iptc } = (await openPicture(source)).metadata
  return { exif: source.exif ?? (exif && streamOf(exif)), xmp, iptc }
}

/** Puts metadata into a finished file, if there are any. */
export async function writeMetadata(path: string, blocks: Blocks | undefined): Promise<void> {
  if (blocks) await writeFile(path, withBlocks(await readFile(path), blocks))
}
