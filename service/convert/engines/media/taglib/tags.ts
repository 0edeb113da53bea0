/** Tags, cover pictures and chapters of media files, read and written through TagLib. */

import { open as openFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AudioFile, type Picture, TagLib } from 'taglib-wasm'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { boxesAt } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'
import type { Chapter } from '../ffmpeg/recording.ts'
import { tagsAlone } from '../flac/blocks.ts'
import { OLD_ID3_BYTES, oldId3 } from '../id3.ts'

export interface Tags {
  /** Values by TagLib's property names: `title`, `artist`, `trackNumber`, …, other names in capitals. */
  properties: Record<string, string[]>
  pictures: Picture[]
  chapters: Chapter[]
  /** Lyrics, which TagLib keeps separate from the properties. */
  lyrics: string[]
}

/** Properties that describe the source's format or encoder and would be wrong for a converted file. */
const junk =
  /^(encoder|encoding|encodedBy|encoderSettings|length|duration|bps|major_brand|minor_version|compatible_brands|handler_name|vendor_id|creation_time|accurip\w*|number_of_(frames|bytes)|_statistics\w*|waveformatextensible_channel_mask)$|itun(smpb|norm|pgap)$|^appleSoundCheck$|^gaplessPlayback$/i

/** Loudness hints for players, which are wrong once the loudness has changed. */
const gain = /^(replayGain|r128)/i

/** Vorbis comments of a chapter, from XiphWiki's "Chapter Extension": `CHAPTER003` and `CHAPTER003NAME`. */
const chapterKey = /^CHAPTER(\d{3})(NAME)?$/

/** Second names of Vorbis comments, of which programs use either. */
const OTHER_NAMES = { DESCRIPTION: 'comment', TOTALTRACKS: 'totalTracks', TOTALDISCS: 'totalDiscs' }

const limits = { properties: 500, characters: 100_000, pictureBytes: 32_000_000, chapters: 2000 }

/** TagLib cannot extend a WAV file beyond the range of its 32-bit sizes. */
const WAV_LIMIT = 0xf000_0000

let library: Promise<TagLib> | undefined
const taglib = () => (library ??= TagLib.initialize())

export const taglibVersion = async (): Promise<string> => (await taglib()).version()

async function open(path: string): Promise<AudioFile> {
  return (await taglib()).open(resolve(path))
}

/** Opens a file to read from; TagLib refuses a FLAC file with an empty block, whatever else is in it. */
async function openToRead(path: string): Promise<AudioFile | null> {
  try {
    return await open(path)
  } catch {
    const tags = await tagsAlone(path)
    return tags && (await taglib()).open(tags)
  }
}

/** Tags of the file at `path`; null if TagLib cannot read its format or it is damaged. */
export async function readTags(path: string): Promise<Tags | null> {
  let file: AudioFile | null = null
  try {
    file = await openToRead(path)
    if (!file) return null
    const { properties, chapters } = split(file.properties(), file.getChapters())
    // Of several tags of an MP3 file TagLib only reads the first.
    if (file.getFormat() === 'MP3')
      for (const [name, value] of Object.entries(await oldTags(path))) properties[name] ??= [value]
    // What a recorder noted in a Broadcast Wave file (EBU Tech 3285).
    const noted = file.getFormat() === 'WAV' ? file.getBext() : undefined
    if (noted?.description) properties.comment ??= [noted.description]
    if (noted?.originationDate) properties.date ??= [noted.originationDate]
    return {
      ...{ properties, chapters },
      pictures: bounded(file.getPictures()),
      lyrics: file.getLyrics().map(({ text }) => text.slice(0, limits.characters)),
    }
  } catch {
    return null
  } finally {
    file?.dispose()
  }
}

/** The ID3v1 tag at the end of the file. */
async function oldTags(path: string): Promise<Record<string, string>> {
  await using file = await openFile(path, 'r')
  const { size } = await file.stat()
  return oldId3(await readAt(file, Math.max(0, size - OLD_ID3_BYTES), OLD_ID3_BYTES))
}

function split(all: Record<string, string[] | undefined>, own: ReturnType<AudioFile['getChapters']>) {
  const properties: Tags['properties'] = {}
  const marks = new Map<string, { start?: number; title?: string }>()
  for (const [key, values] of Object.entries(all).slice(0, limits.properties)) {
    const mark = chapterKey.exec(key)
    const value = values?.[0] ?? ''
    if (mark?.[1]) {
      const chapter = marks.get(mark[1]) ?? {}
      if (mark[2]) chapter.title = value
      else chapter.start = secondsOf(value)
      marks.set(mark[1], chapter)
    } else if (values && !junk.test(key) && values.join('').length <= limits.characters) {
      properties[key] = values.filter(value => value !== '')
    }
  }
  for (const [other, name] of Object.entries(OTHER_NAMES)) {
    if (!properties[other] || properties[name]) continue
    properties[name] = properties[other]
    delete properties[other]
  }
  const chapters =
    own.length > 0
      ? own.map(({ startTimeMs, endTimeMs, title }) => ({
          start: startTimeMs / 1000,
          end: (endTimeMs ?? Number.NaN) / 1000,
          title: title ?? '',
        }))
      : [...marks.values()].flatMap(({ start, title = '' }) =>
          start === undefined || Number.isNaN(start) ? [] : [{ start, end: Number.NaN, title }],
        )
  chapters.sort((a, b) => a.start - b.start)
  for (const [index, chapter] of chapters.entries()) {
    const next = chapters[index + 1]?.start ?? Number.POSITIVE_INFINITY
    if (!(chapter.end > chapter.start)) chapter.end = next
  }
  return { properties, chapters: chapters.slice(0, limits.chapters) }
}

/** Seconds of a Vorbis chapter's `HH:MM:SS.mmm`. */
function secondsOf(value: string): number {
  const match = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(value.trim())
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : Number.NaN
}

const timecode = (seconds: number) => {
  const milliseconds = Math.round(seconds * 1000)
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0')
  return `${part(milliseconds / 3_600_000, 2)}:${part((milliseconds / 60_000) % 60, 2)}:${part((milliseconds / 1000) % 60, 2)}.${part(milliseconds % 1000, 3)}`
}

/** The cover first; pictures that would not fit into memory or a tag are left out. */
function bounded(pictures: Picture[]): Picture[] {
  let bytes = 0
  const kept = pictures.filter(picture => {
    bytes += picture.data.length
    return picture.data.length > 0 && bytes <= limits.pictureBytes
  })
  // MP4 does not say what a picture shows; the first one is the cover.
  const [first, ...rest] = kept
  if (first?.type === 'Other' && !rest.some(picture => picture.type === 'FrontCover')) {
    return [{ ...first, type: 'FrontCover' }, ...rest]
  }
  return kept
}

/** Removes what is no longer true once the loudness has changed. */
export const withoutGain = ({ properties, ...tags }: Tags): Tags => ({
  ...tags,
  properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !gain.test(key))),
})

/**
 * Replaces all tags of the file at `path`, an MP3, MP4, Ogg, FLAC or WAV file.
 * @returns false if the file is too large for tags
 * @throws JobFailure `engine_crashed` if TagLib cannot write the file
 */
export async function writeTags(path: string, tags: Tags): Promise<boolean> {
  let file: AudioFile | undefined
  try {
    file = await open(path)
    const kind = file.getFormat()
    if (kind === 'WAV' && (await stat(path)).size > WAV_LIMIT) return false
    // An empty list removes what the encoder wrote about itself.
    const properties: Record<string, string[]> = { ...tags.properties, ENCODER: [], encoding: [] }
    if (properties.compilation?.[0] === 'true') properties.compilation = ['1']
    const mask = (file.properties() as Record<string, string[]>).WAVEFORMATEXTENSIBLE_CHANNEL_MASK
    if (mask) properties.WAVEFORMATEXTENSIBLE_CHANNEL_MASK = mask
    if (/^(OGG|OPUS|FLAC|OggFLAC)$/i.test(kind)) {
      for (const [index, { start, title }] of tags.chapters.slice(0, 1000).entries()) {
        const key = `CHAPTER${String(index).padStart(3, '0')}`
        properties[key] = [timecode(start)]
        properties[`${key}NAME`] = [title]
      }
    }
    const [disc, discs] = [properties.discNumber?.[0], properties.totalDiscs?.[0]]
    if (kind === 'WAV' && Number(disc) > 0 && Number(discs) > 0) {
      properties.discNumber = [`${disc}/${discs}`]
      delete properties.totalDiscs
    }
    file.setProperties(kind === 'MP4' ? withoutColons(properties) : properties)
    if (tags.pictures.length > 0) file.setPictures(tags.pictures)
    if (tags.lyrics.length > 0) file.setLyrics(tags.lyrics.map(text => ({ text })))
    if (tags.chapters.length > 0 && /^(MP3|MP4)$/.test(kind)) {
      const chapters = tags.chapters.map(({ start, end, title }) => ({
        startTimeMs: Math.round(start * 1000),
        ...(Number.isFinite(end) ? { endTimeMs: Math.round(end * 1000) } : {}),
        title,
      }))
      file.setChapters(chapters, { mp4ChapterStyle: 'both' })
    }
    const number = Number(tags.properties.trackNumber?.[0])
    const total = Number(tags.properties.totalTracks?.[0])
    if (number > 0 && total > 0 && kind === 'MP3') {
      file.setId3v2Frames('TRCK', [Buffer.from(`\u0003${number}/${total}`)])
    }
    await file.saveToFile()
    if (number > 0 && total > 0 && kind === 'MP4') await setTrackTotal(path, total)
    return true
  } catch (cause) {
    throw new JobFailure('jobs.engine_crashed', message('recording.tags_not_written'), {
      cause,
    })
  } finally {
    file?.dispose()
  }
}

/**
 * Gives the MP4, QuickTime or Matroska file at `path` the covers of another one.
 * @returns false if either cannot be read
 */
export async function copyPictures(from: string, path: string): Promise<boolean> {
  const pictures = (await readTags(from))?.pictures ?? []
  if (pictures.length === 0) return false
  let file: AudioFile | undefined
  try {
    file = await open(path)
    file.setPictures(pictures)
    await file.saveToFile()
    return true
  } catch {
    return false
  } finally {
    file?.dispose()
  }
}

/** TagLib leaves names with colons out of MP4, such as `COMMENT:NOTE`, a comment with a description. */
const withoutColons = (properties: Tags['properties']): Tags['properties'] =>
  Object.fromEntries(Object.entries(properties).map(([name, values]) => [name.replaceAll(':', ' '), values]))

/** The library drops the number of tracks; in the tag it is the two bytes after the track's own number. */
async function setTrackTotal(path: string, total: number): Promise<void> {
  await using file = await openFile(path, 'r+')
  for await (const { start, end } of boxesAt(file, 'moov', 'udta', 'meta', 'ilst', 'trkn', 'data')) {
    if (end - start < 14) continue
    await file.write(Uint8Array.of((total >> 8) & 255, total & 255), 0, 2, start + 12)
  }
}
