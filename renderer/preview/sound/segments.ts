/** Transcripts with times, in the SubRip and WebVTT formats. */
import { secondsOf } from '../../forms/trim/time.ts'

export interface Cue {
  /** Seconds from the start of the media file. */
  start: number
  end: number
  text: string
}

/** `00:01:02,500 --> 00:01:04.000`; WebVTT may omit the hours, and appends settings. */
const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/

/** Segments of a subtitle text; none of any other text. */
export function segmentsOf(text: string): Cue[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap(block => {
      const lines = block.split('\n')
      const at = lines.findIndex(line => TIMES.test(line))
      const [, start, end] = TIMES.exec(lines[at] ?? '') ?? []
      const words = lines
        .slice(at + 1)
        .join(' ')
        .replaceAll(/<[^<>]*>/g, '')
        .trim()
      const [from = Number.NaN, to = Number.NaN] = [secondsOf(start ?? ''), secondsOf(end ?? '')]
      return from <= to && words ? [{ start: from, end: to, text: words }] : []
    })
}
