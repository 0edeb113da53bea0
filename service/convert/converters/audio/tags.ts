/** Decides which tags, cover and chapters a converted media file gets. */
import type { Chapter, MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { readTags, type Tags, withoutGain } from '../../engines/media/taglib/tags.ts'
import { type TimeRange, timeWithin } from './span.ts'

/** TagLib's names for tags that only ffmpeg reads, as in AVI and Matroska. */
const names: Record<string, string> = {
  title: 'title',
  artist: 'artist',
  album: 'album',
  product: 'album',
  album_artist: 'albumArtist',
  composer: 'composer',
  performer: 'performer',
  genre: 'genre',
  date: 'date',
  comment: 'comment',
  copyright: 'copyright',
}

export const noTags: Tags = { properties: {}, pictures: [], chapters: [], lyrics: [] }

/** All tags of the media file, from whichever reader knows them. */
export async function tagsOf(path: string, { tags, chapters }: MediaInfo): Promise<Tags> {
  const known = (await readTags(path)) ?? noTags
  const properties = { ...known.properties }
  for (const [key, name] of Object.entries(names)) {
    const value = tags[key]
    if (value) properties[name] ??= [value]
  }
  for (const [key, number, total] of [
    ['track', 'trackNumber', 'totalTracks'],
    ['disc', 'discNumber', 'totalDiscs'],
  ] as const) {
    const match = /^(\d+)(?:\/(\d+))?$/.exec(tags[key] ?? '')
    if (match?.[1]) properties[number] ??= [match[1]]
    if (match?.[2]) properties[total] ??= [match[2]]
  }
  return { ...known, properties, chapters: known.chapters.length > 0 ? known.chapters : chapters }
}

/** Tags with others in place of those that are given, under TagLib's names; an empty one is removed. */
export const edited = (tags: Tags, given: Readonly<Record<string, string>>): Tags => ({
  ...tags,
  properties: {
    ...tags.properties,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ? [value] : []])),
  },
})

/** Chapters of the part that is kept, counted from its start. */
export function chaptersWithin(chapters: readonly Chapter[], span: TimeRange): Chapter[] {
  const { start, end, gaps = [] } = span
  return chapters
    .filter(chapter => chapter.start < (end ?? Infinity) && chapter.end > start)
    .filter(chapter => !gaps.some(gap => chapter.start >= gap.start && chapter.end <= gap.end))
    .map(chapter => ({
      title: chapter.title,
      start: timeWithin(span, chapter.start),
      end: timeWithin(span, chapter.end),
    }))
}

/** Tags of the whole media file, of a part of it, or with its loudness changed. */
export function adapted(tags: Tags, span: TimeRange, normalised: boolean): Tags {
  const part = { ...tags, chapters: chaptersWithin(tags.chapters, span) }
  return normalised ? withoutGain(part) : part
}

/** Tags of one chapter as a separate file: the book becomes the album, the chapter its track. */
export function chapterTags(tags: Tags, title: string, number: number, count: number): Tags {
  const { properties } = tags
  const album = properties.album ?? properties.title
  return {
    ...tags,
    chapters: [],
    properties: {
      ...properties,
      ...(album ? { album } : {}),
      title: [title],
      trackNumber: [String(number)],
      totalTracks: [String(count)],
    },
  }
}
