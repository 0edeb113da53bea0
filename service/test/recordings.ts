/** One recording of a second in every format that is read, and a conversion of each. */
import { join } from 'node:path'
import { lively, make, tool } from './media.ts'

export const recordingJobs: Readonly<Record<string, string>> = {
  mp3: 'audio.mp3-to-wav',
  flac: 'audio.flac-to-wav',
  opus: 'audio.opus-to-wav',
  ogg: 'audio.ogg-to-mp3',
  aac: 'audio.aac-to-mp3',
  wav: 'audio.wav-to-flac',
  wma: 'audio.wma-to-wav',
  m4a: 'audio.m4a-to-mp3',
  m4b: 'audio.m4b-to-m4a',
  paf: 'audio.paf-to-wav',
  avi: 'video.avi-to-wav',
  mp4: 'video.mp4-to-wav',
  mov: 'video.mov-to-wav',
  mkv: 'video.mkv-to-wav',
  webm: 'video.webm-to-wav',
}

/** Creates `good.mp3`, `good.flac` … in a folder. */
export function makeRecordings(folder: string): void {
  const at = (format: string) => join(folder, `good.${format}`)
  const wav = make(at('wav'), ...lively(1))
  tool('sox', wav, '-b', '24', at('paf'))
  for (const format of Object.keys(recordingJobs)) {
    if (format === 'wav' || format === 'paf') continue
    const first = /^(m4a|mp4|mov)$/.test(format) ? ['-movflags', '+faststart'] : []
    make(at(format), '-i', wav, ...first, ...(format === 'm4b' ? ['-f', 'mp4'] : []))
  }
}
