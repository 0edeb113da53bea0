/** What each format of video can hold, and how it is encoded: the one table of encoders and their arguments. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'

export type CodecName = 'h264' | 'h265' | 'vp9' | 'av1'

interface Encoder {
  /** ffmpeg's name. */
  name: string
  /** Constant rate factors of the qualities 1 and 100. */
  factors: readonly [worst: number, best: number]
  arguments: readonly string[]
  /** Whether it writes 10 bits. */
  highBitDepth: boolean
  /** Arguments of the first or the second of two passes, which share a log; absent if it only encodes in one. */
  pass?: (number: 1 | 2, log: string) => string[]
  /** Whether its two passes take each frame to last one unit of its times, as they do in ffmpeg before 6.1. */
  countsUnits?: boolean
}

interface VideoCodec {
  label: string
  /** ffmpeg's name of the codec. */
  codec: string
  /** The best one first. */
  encoders: readonly Encoder[]
}

const pass = (number: 1 | 2, log: string) => ['-pass', String(number), '-passlogfile', log]

/** Factors and presets were measured for about equal similarity at a quality of 70. */
export const codecs: Readonly<Record<CodecName, VideoCodec>> = {
  h264: {
    label: 'H.264, plays everywhere',
    codec: 'h264',
    encoders: [
      { name: 'libx264', factors: [36, 16], arguments: ['-preset', 'fast'], highBitDepth: false, pass },
    ],
  },
  h265: {
    label: 'H.265, smaller',
    codec: 'hevc',
    encoders: [
      {
        ...{ name: 'libx265', factors: [40, 20], highBitDepth: true },
        arguments: ['-preset', 'fast', '-x265-params', 'log-level=error'],
        // Its values are separated by colons.
        pass: (number, log) => [
          ...['-x265-params', `log-level=error:pass=${number}:stats=${log.replaceAll(':', '\\:')}`],
        ],
      },
    ],
  },
  vp9: {
    label: 'VP9',
    codec: 'vp9',
    encoders: [
      {
        ...{ name: 'libvpx-vp9', factors: [56, 22], highBitDepth: true, pass, countsUnits: true },
        arguments: ['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1'],
      },
    ],
  },
  av1: {
    label: 'AV1, smallest and slow',
    codec: 'av1',
    encoders: [
      { name: 'libsvtav1', factors: [60, 24], arguments: ['-preset', '8'], highBitDepth: true },
      {
        ...{ name: 'libaom-av1', factors: [55, 22], highBitDepth: true, pass, countsUnits: true },
        arguments: ['-cpu-used', '6', '-row-mt', '1'],
      },
    ],
  },
}

export interface Box {
  /** Codecs that can be chosen, the usual one first. */
  codecs: readonly CodecName[]
  /** Codecs of pictures, by ffmpeg's names, that are kept unchanged by default, and others that are when asked for. */
  keeps: readonly string[]
  holds?: readonly string[]
  /** Pixel formats of H.264 that its usual players show; any if absent. */
  shows?: RegExp
  sound: { keeps: readonly string[]; encoder: 'aac' | 'libopus' }
  /** The codec of subtitles, and whether those drawn as pictures can be kept. */
  subtitles: { codec: string; pictures: boolean }
  container: readonly string[]
}

const aac = { keeps: ['aac', 'mp3', 'ac3', 'eac3', 'alac'], encoder: 'aac' } as const

const boxes: Readonly<Record<string, Box>> = {
  mp4: {
    codecs: ['h264', 'h265', 'av1'],
    ...{ keeps: ['h264', 'hevc', 'av1'], holds: ['vp9', 'mpeg4', 'mpeg2video'], sound: aac },
    // Screen recorders write 4:4:4, which hardly any player knows.
    shows: /^yuvj?420p$/,
    subtitles: { codec: 'mov_text', pictures: false },
    container: ['-f', 'mp4', '-movflags', '+faststart'],
  },
  mov: {
    codecs: ['h264', 'h265'],
    ...{ keeps: ['h264', 'hevc', 'prores'], holds: ['mpeg4', 'mpeg2video', 'mjpeg'] },
    // Cameras write 4:2:2 for programs of Apple.
    shows: /^yuvj?42[02]p/,
    sound: { ...aac, keeps: [...aac.keeps, 'pcm_s16le', 'pcm_s24le', 'pcm_s16be', 'pcm_s24be'] },
    subtitles: { codec: 'mov_text', pictures: false },
    container: ['-f', 'mov', '-movflags', '+faststart'],
  },
  mkv: {
    codecs: ['h264', 'h265', 'av1', 'vp9'],
    keeps: [
      ...['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'mpeg2video', 'mpeg1video'],
      ...['theora', 'prores', 'ffv1', 'mjpeg'],
    ],
    sound: {
      keeps: [...aac.keeps, 'opus', 'vorbis', 'flac', 'dts', 'truehd', 'mp2', 'pcm_s16le', 'pcm_s24le'],
      encoder: 'aac',
    },
    subtitles: { codec: 'srt', pictures: true },
    container: ['-f', 'matroska'],
  },
  webm: {
    codecs: ['vp9', 'av1'],
    ...{ keeps: ['vp9', 'vp8', 'av1'], sound: { keeps: ['opus', 'vorbis'], encoder: 'libopus' } },
    subtitles: { codec: 'webvtt', pictures: false },
    container: ['-f', 'webm'],
  },
}

/** @throws Error if no video becomes this format */
export function boxOf(target: string): Box {
  const box = boxes[target]
  if (!box) throw new Error(`no video becomes ${target}`)
  return box
}

/** Whether a picture is kept unchanged in a box by default. */
export const isKept = ({ keeps, shows }: Box, { codec, pixelFormat }: PictureTrack): boolean =>
  keeps.includes(codec) && (codec !== 'h264' || (shows?.test(pixelFormat) ?? true))

/**
 * The encoder of a codec in a box; where this ffmpeg has none, that of another codec which the box holds.
 * @param encoders those that ffmpeg has
 * @param passes whether it must encode in two passes, if any can
 * @throws JobFailure `engine_missing` if there is none for the box
 */
export function encoderOf(
  box: Box,
  wanted: CodecName,
  encoders: ReadonlySet<string>,
  passes: boolean,
): { codec: CodecName; encoder: Encoder } {
  for (const codec of [wanted, ...box.codecs]) {
    const found = codecs[codec].encoders.filter(({ name }) => encoders.has(name))
    const encoder = (passes ? found.find(each => each.pass) : undefined) ?? found[0]
    if (encoder) return { codec, encoder }
  }
  const names = box.codecs.flatMap(name => codecs[name].encoders.map(each => each.name))
  throw new JobFailure('jobs.engine_missing', message('video.no_encoder', { encoders: names.join(', ') }))
}

export type ChosenEncoder = ReturnType<typeof encoderOf>

/** Arguments of a constant quality from 1 to 100. */
export function qualityArguments({ name, factors: [worst, best] }: Encoder, quality: number): string[] {
  const factor = Math.round(worst + ((best - worst) * (quality - 1)) / 99)
  return ['-crf', String(factor), ...(/^lib(vpx|aom)/.test(name) ? ['-b:v', '0'] : [])]
}
