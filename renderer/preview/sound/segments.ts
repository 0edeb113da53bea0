/** Transcripts with times, in the SubRip and WebVTT formats. */

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
      return start && end && words ? [{ start: secondsOf(start), end: secondsOf(end), text: words }] : []
    })
}

function secondsOf(clock: string): number {
  return clock
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}
