/** The formats that videos become, and what each holds: the one table of them. */
import type { FormatKey } from '../../catalogue/formats.ts'
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'
import type { CodecName } from './codecs.ts'
import type { SoundName } from './sound-codecs.ts'

export interface Box {
  /** Codecs that can be chosen, the usual one first. */
  codecs: readonly CodecName[]
  /** Codecs of pictures, by ffmpeg's names, that are kept unchanged by default, and others that are when asked for. */
  keeps: readonly string[]
  holds?: readonly string[]
  /** Pixel formats of H.264 that its usual players show; any if absent. */
  shows?: RegExp
  sound: Sound
  /** The codec of subtitles, and whether those drawn as pictures can be kept; absent if it holds none. */
  subtitles?: { codec: string; pictures: boolean }
  /** Its frame rates, as ffmpeg writes them, if each frame lasts as long as the others; none if any is possible. */
  rates?: readonly string[]
  /** What it has no place for. */
  lacks?: readonly ('tags' | 'chapters')[]
  container: readonly string[]
}

interface Sound {
  keeps: readonly string[]
  /** Codecs that can be chosen, the usual one first. */
  codecs: readonly SoundName[]
  /** The only sample rate that its players take. */
  sampleRate?: number
  /** How many tracks there can be. */
  tracks?: number
}

const aac: Sound = { keeps: ['aac', 'mp3', 'ac3', 'eac3', 'alac'], codecs: ['aac', 'ac3', 'eac3', 'mp3'] }
const opus: Sound = { keeps: ['opus', 'vorbis'], codecs: ['opus', 'vorbis'] }

const movText = { codec: 'mov_text', pictures: false } as const

/** Of MPEG-2. */
const broadcast = ['24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60'] as const

const boxes = {
  mp4: {
    codecs: ['h264', 'h265', 'av1'],
    ...{ keeps: ['h264', 'hevc', 'av1'], holds: ['vp9', 'mpeg4', 'mpeg2video'], sound: aac },
    // Screen recorders write 4:4:4, which hardly any player knows.
    shows: /^yuvj?420p$/,
    subtitles: movText,
    container: ['-f', 'mp4', '-movflags', '+faststart'],
  },
  mov: {
    codecs: ['h264', 'h265', 'prores', 'prores4444', 'dnxhr'],
    ...{ keeps: ['h264', 'hevc', 'prores', 'dnxhd'], holds: ['mpeg4', 'mpeg2video', 'mjpeg'] },
    // Cameras write 4:2:2 for programs of Apple.
    shows: /^yuvj?42[02]p/,
    sound: {
      keeps: [...aac.keeps, 'pcm_s16le', 'pcm_s24le', 'pcm_s16be', 'pcm_s24be'],
      codecs: [...aac.codecs, 'pcm'],
    },
    subtitles: movText,
    container: ['-f', 'mov', '-movflags', '+faststart'],
  },
  mkv: {
    codecs: ['h264', 'h265', 'av1', 'vp9', 'ffv1', 'prores', 'prores4444'],
    keeps: [
      ...['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'mpeg2video', 'mpeg1video'],
      ...['theora', 'prores', 'ffv1', 'mjpeg'],
    ],
    sound: {
      keeps: [...aac.keeps, 'opus', 'vorbis', 'flac', 'dts', 'truehd', 'mp2', 'pcm_s16le', 'pcm_s24le'],
      codecs: [...aac.codecs, 'opus', 'vorbis', 'flac', 'pcm'],
    },
    subtitles: { codec: 'srt', pictures: true },
    container: ['-f', 'matroska'],
  },
  webm: {
    codecs: ['vp9', 'av1'],
    ...{ keeps: ['vp9', 'vp8', 'av1'], sound: opus },
    subtitles: { codec: 'webvtt', pictures: false },
    container: ['-f', 'webm'],
  },
  '3gp': {
    codecs: ['h264'],
    keeps: ['h264'],
    shows: /^yuvj?420p$/,
    sound: { keeps: ['aac'], codecs: ['aac'] },
    subtitles: movText,
    container: ['-f', '3gp', '-movflags', '+faststart'],
  },
  avi: {
    codecs: ['mpeg4'],
    ...{ keeps: [], rates: [] },
    sound: { keeps: ['mp3', 'ac3'], codecs: ['mp3', 'ac3'] },
    // The name under which players know MPEG-4 in AVI.
    ...{ lacks: ['chapters'], container: ['-f', 'avi', '-tag:v', 'XVID'] },
  },
  flv: {
    codecs: ['h264'],
    keeps: ['h264'],
    shows: /^yuvj?420p$/,
    sound: { keeps: ['aac'], codecs: ['aac', 'mp3'], tracks: 1 },
    ...{ lacks: ['chapters'], container: ['-f', 'flv'] },
  },
  mpg: {
    codecs: ['mpeg2'],
    ...{ keeps: ['mpeg2video', 'mpeg1video'], rates: broadcast },
    sound: { keeps: ['mp2', 'ac3'], codecs: ['ac3', 'mp2'], sampleRate: 48_000 },
    ...{ lacks: ['tags', 'chapters'], container: ['-f', 'vob', '-packetsize', '2048'] },
  },
  ogv: {
    codecs: ['theora'],
    ...{ keeps: ['theora'], rates: [] },
    sound: { ...opus, codecs: ['vorbis', 'opus'] },
    ...{ lacks: ['chapters'], container: ['-f', 'ogg'] },
  },
  ts: {
    codecs: ['h264', 'h265', 'mpeg2'],
    keeps: ['h264', 'hevc', 'mpeg2video', 'mpeg1video'],
    sound: { keeps: ['aac', 'mp3', 'mp2', 'ac3', 'eac3'], codecs: ['aac', 'ac3', 'eac3', 'mp2', 'mp3'] },
    ...{ lacks: ['tags', 'chapters'], container: ['-f', 'mpegts'] },
  },
  wmv: {
    codecs: ['wmv'],
    ...{ keeps: [], rates: [] },
    sound: { keeps: [], codecs: ['wma'] },
    container: ['-f', 'asf'],
  },
} satisfies Partial<Record<FormatKey, Box>>

/** Every format that videos become. */
export const boxNames = (Object.keys(boxes) as (keyof typeof boxes)[]).toSorted()

/** @throws Error if no video becomes this format */
export function boxOf(target: string): Box {
  const box = (boxes as Partial<Record<string, Box>>)[target]
  if (!box) throw new Error(`no video becomes ${target}`)
  return box
}

/** Whether a picture is kept unchanged in a box by default. */
export const isKept = ({ keeps, shows }: Box, { codec, pixelFormat }: PictureTrack): boolean =>
  keeps.includes(codec) && (codec !== 'h264' || (shows?.test(pixelFormat) ?? true))
