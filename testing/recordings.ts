/** One recording in every format that is read, with a picture in videos, and a conversion of each. */
import { join } from 'node:path'
import { lively, make, makeAll, tool } from './fixtures/media.ts'

/** Length of each. */
export const RECORDED_SECONDS = 3

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
  ac3: 'audio.ac3-to-wav',
  aiff: 'audio.aiff-to-wav',
  caf: 'audio.caf-to-wav',
  tta: 'audio.tta-to-wav',
  wv: 'audio.wv-to-wav',
  m4r: 'audio.m4r-to-wav',
  mka: 'audio.mka-to-wav',
  weba: 'audio.weba-to-wav',
  avi: 'video.avi-to-wav',
  mp4: 'video.mp4-to-wav',
  mov: 'video.mov-to-wav',
  mkv: 'video.mkv-to-wav',
  webm: 'video.webm-to-wav',
}

const sound = ['-map', '0:a']
const video = [...sound, '-map', '1:v', '-c:v', 'mpeg4']
const fast = ['-movflags', '+faststart']
const encodings: Record<string, string[]> = {
  aac: [...sound, '-b:a', '160k'],
  ac3: [...sound, '-b:a', '256k'],
  aiff: sound,
  m4r: [...sound, '-b:a', '160k', ...fast, '-f', 'ipod'],
  mka: [...sound, '-c:a', 'flac', '-f', 'matroska'],
  weba: [...sound, '-c:a', 'libopus', '-b:a', '160k', '-f', 'webm'],
  caf: sound,
  tta: sound,
  wv: sound,
  flac: sound,
  m4a: [...sound, '-b:a', '160k', ...fast],
  m4b: [...sound, '-b:a', '160k', ...fast, '-f', 'mp4'],
  mp3: [...sound, '-b:a', '192k'],
  ogg: [...sound, '-q:a', '6'],
  opus: [...sound, '-b:a', '160k'],
  wma: [...sound, '-b:a', '192k'],
  avi: [...video, '-c:a', 'mp3', '-b:a', '192k'],
  mkv: [...video, '-c:a', 'ac3'],
  mov: [...video, '-c:a', 'aac', '-b:a', '192k', ...fast],
  mp4: [...video, '-c:a', 'aac', '-b:a', '192k', ...fast],
  webm: [...sound, '-map', '1:v', '-c:v', 'libvpx', '-c:a', 'libopus', '-b:a', '160k'],
}

/** Creates `good.mp3`, `good.flac` … in a folder: of the given formats, or of all. */
export function makeRecordings(
  folder: string,
  formats: readonly string[] = Object.keys(recordingJobs),
): void {
  const at = (format: string) => join(folder, `good.${format}`)
  const wav = make(at('wav'), ...lively(RECORDED_SECONDS))
  if (formats.includes('paf')) tool('sox', wav, '-b', '24', at('paf'))
  const picture = ['-f', 'lavfi', '-i', `testsrc=s=64x64:r=10:d=${RECORDED_SECONDS}`]
  const encoded = formats.filter(format => format in encodings)
  // As a whole, so that every test finds them made.
  makeAll(
    ['-i', wav, ...picture],
    encoded.map(format => [at(format), ...encodings[format]!]),
  )
}

/** Videos of these kinds are made from another one. */
const fromVideo = {
  flv: ['-c:v', 'flv', '-ar', '44100'],
  mpg: ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'mp2'],
  ogv: ['-c:v', 'libtheora', '-c:a', 'libvorbis'],
  ts: ['-r', '25', '-c:v', 'mpeg2video'],
  wmv: ['-c:v', 'wmv2', '-c:a', 'wmav2'],
  gif: ['-an'],
}

/** Creates them from `good.mp4`. */
export function makeVideos(folder: string): void {
  for (const [kind, args] of Object.entries(fromVideo))
    make(join(folder, `good.${kind}`), '-i', join(folder, 'good.mp4'), ...args)
}
