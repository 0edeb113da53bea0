/** Reads what ffmpeg's muxer `ffmetadata` writes: tags and chapters as data, https://ffmpeg.org/ffmpeg-formats.html#Metadata-2 */

import type { Chapter } from './recording.ts'

export interface FileMetadata {
  /** Tags of the file and of each stream, under ffmpeg's lower-case names; of several with a name, the first. */
  tags: Record<string, string>
  streams: Record<string, string>[]
  chapters: Chapter[]
}

/** Names come from the file, so the objects have no prototype. */
const noTags = (): Record<string, string> => Object.create(null)

export function parseMetadata(text: string): FileMetadata {
  const found: FileMetadata = { tags: noTags(), streams: [], chapters: [] }
  const chapters: Record<string, string>[] = []
  let section = found.tags
  // A backslash makes the following character, even the end of a line, part of the text.
  for (const [line] of text.matchAll(/(?:\\[\s\S]|[^\\\n])+/g)) {
    if (line.startsWith(';')) continue
    const [, key, value] = /^((?:\\[\s\S]|[^\\=])*)=([\s\S]*)$/.exec(line) ?? []
    if (key !== undefined) section[unescaped(key).toLowerCase()] ??= unescaped(value ?? '')
    else {
      section = noTags()
      if (line === '[STREAM]') found.streams.push(section)
      if (line === '[CHAPTER]') chapters.push(section)
    }
  }
  found.chapters = chapters.map(({ timebase = '', start, end, title = '' }) => {
    const [numerator = 1, denominator = 1] = timebase.split('/').map(Number)
    const seconds = (ticks: string | undefined) => (Number(ticks) * numerator) / denominator
    return { start: seconds(start), end: seconds(end), title }
  })
  return found
}

const unescaped = (text: string): string => text.replaceAll(/\\([\s\S])/g, '$1')
