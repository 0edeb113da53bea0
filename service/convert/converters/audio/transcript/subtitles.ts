import { type Cue, cuesOf } from './cues.ts'
import { type Transcript, transcriber } from './transcript.ts'

function stamp(milliseconds: number, mark: ',' | '.'): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0')
  const seconds = milliseconds / 1000
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(part => pad(part, 2)).join(':')
  return `${clock}${mark}${pad(milliseconds % 1000, 3)}`
}

/** SubRip has no escaping: what players would take for a tag or an arrow is written with other characters. */
const plain = (text: string) => text.replace(/<(\/?[a-z][^>]*)>/gi, '‹$1›').replaceAll('-->', '→')

/**
 * SubRip subtitles of a tidy transcript, UTF-8 with the line ends that players expect. The format has no room for remarks, so
 * the last subtitle names the engine in a separate line.
 */
export function writeSrt(transcript: Transcript): string {
  const cues = cuesOf(transcript)
  cues.at(-1)?.lines.push(`[${transcriber(transcript)}]`)
  return writeCues(cues)
}

/** SubRip subtitles, with the line ends that players expect. */
export const writeCues = (cues: readonly Cue[]): string =>
  cues
    .map(({ start, end, lines }, nth) => {
      const time = `${stamp(start, ',')} --> ${stamp(end, ',')}`
      return [String(nth + 1), time, ...lines.map(plain), ''].join('\r\n')
    })
    .join('\r\n')

const escaped = (text: string) =>
  text.replace(/[&<>]/g, sign => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[sign]};`)

/** WebVTT subtitles of a tidy transcript (https://www.w3.org/TR/webvtt1/). */
export function writeVtt(transcript: Transcript): string {
  const note = `NOTE ${transcriber(transcript)}`.replaceAll('-->', '→')
  const cues = cuesOf(transcript).map(({ start, end, lines }) => {
    const text = lines.map(escaped).join('\n')
    return `${stamp(start, '.')} --> ${stamp(end, '.')}\n${text}\n`
  })
  return ['WEBVTT\n', `${note}\n`, ...cues].join('\n')
}
