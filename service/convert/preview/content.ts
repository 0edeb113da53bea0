/** What can be shown of a file in a comparison. */
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PREVIEW_EDGE, type PreviewContent } from '../catalogue/preview.ts'
import type { TaskInput } from '../catalogue/task.ts'
import { excerptOf, openRecording, sound } from '../converters/audio/sounds.ts'
import type { Source } from '../converters/audio/source.ts'
import { isArchiveFormat, openListed } from '../engines/archives/open.ts'
import { readAt } from '../engines/common/read-at.ts'
import { decodeText } from '../engines/common/text.ts'
import { sharpFailure } from '../engines/pictures/sharp/failure.ts'
import type { Sharp } from '../engines/pictures/sharp/load.ts'
import { browserFont, isFont } from './fonts.ts'
import { scaled, type UprightPicture } from './shown.ts'
import { isSound, shownOf } from './thumbnail.ts'

/** One side of a comparison, with what it was made from if the other side is compared with that. */
export interface Side {
  look: PreviewContent
  shown?: UprightPicture
  /** The picture as it is looked at, decoded. */
  small?: Sharp
  /** The media file to listen to. */
  source?: Source
}

/** The folder and names for a side's files. */
export interface PreviewFolder {
  /** For temporary files. */
  folder: string
  /** For what is shown. */
  shown: string
  name: 'before' | 'after'
}

const texts = new Set(['ass', 'csv', 'json', 'md', 'srt', 'txt', 'vtt', 'yaml'])

/** How much of a text is shown. */
const TEXT_BYTES = 256 * 1024
/** How many entries of an archive are shown. */
const ENTRIES = 500

/** What can be seen or heard of a file; null if there is nothing. @throws JobFailure */
export async function sideOf(input: TaskInput, place: PreviewFolder): Promise<Side | null> {
  const { format } = input
  if (texts.has(format)) return { look: await textOf(input.path) }
  if (isSound(format)) return soundSide(input, place)
  if (isFont(format)) {
    const file = `${place.name}.font`
    await browserFont(input, join(place.shown, file))
    return { look: { kind: 'font', file } }
  }
  if (isArchiveFormat(format)) return { look: await entriesOf(input, format) }
  const shown = await shownOf(input, { edge: PREVIEW_EDGE, folder: place.folder })
  return shown ? pictureSide(shown, place) : null
}

/** The audio of a media file or a video. @throws JobFailure */
export async function soundSide(input: TaskInput, place: PreviewFolder): Promise<Side> {
  const source = await openRecording(input)
  const look = await sound(source, excerptOf(source, { start: 0, end: null }), soundPath(place))
  return { look: named(look), source }
}

export const soundPath = ({ shown, name }: PreviewFolder): string => join(shown, `${name}.wav`)

/** A look with only the name of its file, without the folder. */
export const named = (look: PreviewContent): PreviewContent =>
  'file' in look ? { ...look, file: basename(look.file) } : look

/** Nearly lossless, so that the visible differences come from the conversion; WebP takes several times as long. */
const opaque = { quality: 95, chromaSubsampling: '4:4:4' } as const
const transparent = { quality: 95, effort: 0 } as const

/** @throws JobFailure */
export async function pictureSide(
  shown: UprightPicture,
  { shown: folder, name }: PreviewFolder,
): Promise<Side> {
  const { width, height, hasAlpha, isTrueSize } = shown
  const file = `${name}.${hasAlpha ? 'webp' : 'jpg'}`
  const small = await scaled(shown, PREVIEW_EDGE)
  const encoded = hasAlpha ? small.clone().webp(transparent) : small.clone().jpeg(opaque)
  await encoded.toFile(join(folder, file)).catch(error => {
    throw sharpFailure(error)
  })
  const look: PreviewContent = {
    kind: 'picture',
    file,
    width: isTrueSize ? width : null,
    height: isTrueSize ? height : null,
  }
  return { look, shown, small }
}

async function textOf(path: string): Promise<PreviewContent> {
  await using file = await open(path)
  const bytes = await readAt(file, 0, TEXT_BYTES)
  const isWhole = bytes.length < TEXT_BYTES
  // A character may be cut in two at the end.
  const text = decodeText(isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || bytes.length))
  return { kind: 'text', text, isWhole }
}

async function entriesOf(
  { path, stem }: TaskInput,
  format: Parameters<typeof openListed>[1],
): Promise<PreviewContent> {
  const { entries } = await openListed(path, format, { password: undefined, cores: 1, stem, warn: () => {} })
  const first = entries.slice(0, ENTRIES).map(({ path: inside, kind, size }) => ({
    path: kind === 'folder' ? `${inside}/` : inside,
    bytes: kind === 'file' ? size : null,
  }))
  return { kind: 'entries', entries: first, count: entries.length }
}
