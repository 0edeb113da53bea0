/**
 * Describes the streams of a file by ffprobe, or by ffmpeg where there is none, as in the program that is packed. There, tags,
 * languages and chapters come as data; codecs and lengths only stand in the log, every line of which about a stream must be understood.
 */
import { Writable } from 'node:stream'
import { JobFailure } from '../../../../shared/errors.ts'
import { type FileMetadata, parseMetadata } from './ffmetadata.ts'
import { probed } from './ffprobe.ts'
import {
  type AudioTrack,
  type MediaInfo,
  nothing,
  type PictureTrack,
  type SubtitleTrack,
} from './recording.ts'
import { inputArguments, run } from './run.ts'
import { bitsOf, isTransparent, matrixNamed, nameOf } from './stream.ts'

/** Longest metadata that is read; a book's lyrics have less than one megabyte. */
const METADATA_BYTES = 1 << 24

/**
 * What ffmpeg finds in the file at `path`, without decoding it.
 * @param demuxer the demuxer to force; any by default
 * @throws JobFailure as `run` does; Error if a stream is described in a way that is unknown here
 */
export const describe = async (path: string, demuxer: string | undefined): Promise<MediaInfo> =>
  // Why a file cannot be read is known of ffmpeg.
  (await probed(inputArguments(path, demuxer))) ?? (await described(path, demuxer))

/** The same by ffmpeg alone. */
export async function described(path: string, demuxer: string | undefined): Promise<MediaInfo> {
  const pieces: Buffer[] = []
  let bytes = 0
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      bytes += piece.length
      pieces.push(piece)
      done(bytes > METADATA_BYTES ? new JobFailure('jobs.too_large') : null)
    },
  })
  const { log } = await run({
    input: path,
    ...(demuxer ? { demuxer } : {}),
    // The file is not read beyond its header; as a limit of the output, this would also drop chapters.
    inputOptions: ['-t', '0'],
    output,
    outputOptions: ['-map', '0', '-copy_unknown', '-c', 'copy', '-f', 'ffmetadata'],
    verbosity: 'info',
    isReading: true,
  })
  return recordingOf(log, parseMetadata(Buffer.concat(pieces).toString()))
}

/** Puts together what the log says about input 0 and its metadata. */
export function recordingOf(log: string, metadata: FileMetadata): MediaInfo {
  // Only the description of the input: that of the output follows and looks the same.
  const [head = ''] = log.split(/^(?:Output #0|Stream mapping:)/m)
  const blocks = head.split(/^(?=\s+Stream #0:)/m).slice(1)
  if (blocks.length !== metadata.streams.length)
    throw new Error(`ffmpeg describes ${blocks.length} streams and copies ${metadata.streams.length}`)
  const streams = blocks.map((block, index) => streamOf(block, metadata.streams[index] ?? {}))
  const audio = streams.filter(({ kind }) => kind === 'Audio')
  const video = streams
    .filter(({ kind }) => kind === 'Video')
    .map((stream, position) => ({ stream, position, isCover: stream.rest.includes('(attached pic)') }))
  const made = /^ {4}creation_time +: (.+)$/im.exec(head)?.[1]
  const [picture = null, ...otherPictures] = video
    .filter(({ isCover }) => !isCover)
    .map(({ stream, position }) => pictureOf(stream, position))
  return {
    ...nothing,
    container: /^Input #0, (\S+), from /m.exec(head)?.[1] ?? '',
    seconds: clock(head),
    video: picture !== null,
    estimated: /^\[\w+ @ \w+\] Estimating duration from bitrate/m.test(head),
    tracks: audio.map(trackOf),
    ...{ picture, otherPictures, covers: video.filter(({ isCover }) => isCover).length },
    subtitles: streams.filter(({ kind }) => kind === 'Subtitle').map(subtitleTrackOf),
    // In Ogg they belong to the first stream.
    tags: Object.assign(
      Object.create(null),
      (audio[0] ?? video[0]?.stream)?.tags,
      // No muxer gets this one, not even that of tags.
      made === undefined ? {} : { creation_time: made },
      metadata.tags,
    ),
    chapters: metadata.chapters,
  }
}

interface Stream {
  kind: string
  rest: string
  /** What the following lines say about the stream. */
  more: string
  tags: Record<string, string>
}

/** Reads `  Stream #0:1[0x2](pt-BR): Audio: aac (LC), …`; the language in brackets may be any text. */
function streamOf(block: string, tags: Record<string, string>): Stream {
  const [line = '', ...more] = block.split('\n')
  const [, kind, rest] =
    /^\s+Stream #0:\d+(?:\[0x[\da-f]+\])?(?:\(.*?\))?: (Audio|Video|Subtitle|Data|Attachment|Unknown)(?:: (.*))?$/.exec(
      line,
    ) ?? []
  if (kind === undefined) throw new Error(`unknown description of a stream by ffmpeg: ${line}`)
  return { kind, rest: rest ?? '', more: more.join('\n'), tags }
}

const named = ({ rest, tags }: Stream, position: number) => {
  const marked = (name: string) => Number(rest.includes(`(${name})`))
  return nameOf(tags, { default: marked('default'), forced: marked('forced') }, position)
}

/** Reads `subrip (srt) (default)`. */
const subtitleTrackOf = (stream: Stream, position: number): SubtitleTrack => ({
  ...named(stream, position),
  codec: /^[^\s,]*/.exec(stream.rest)?.[0] ?? '',
})

const SIZE = /^(\d+)x(\d+)\b/

/** Splits a description at commas outside of brackets, which may hold others: `yuv420p(tv, top coded first (swapped))`. */
const partsOf = (rest: string): string[] =>
  (rest.match(/(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []).map(part => part.trim())

/** Reads `h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, top first), 1280x720 [SAR 1:1 DAR 16:9], 25 fps, …`. */
function pictureOf({ rest, more, tags }: Stream, position: number): PictureTrack {
  const parts = partsOf(rest)
  const place = parts.findIndex(part => SIZE.test(part))
  const [, width, height] = SIZE.exec(parts[place] ?? '') ?? []
  const [, pixelFormat, traits = ''] = /^(\w+)(?:\((.*)\))?$/.exec(parts[place - 1] ?? '') ?? []
  // Without a size it is damaged.
  if (place >= 0 ? pixelFormat === undefined : / \d+x\d+\b/.test(rest))
    throw new Error(`unknown description of a picture by ffmpeg: ${rest}`)
  // What the container says comes last, and counts.
  const [, across, down] = [...rest.matchAll(/\bSAR (\d+):(\d+)/g)].at(-1) ?? []
  return {
    position,
    codec: /^[^\s,]*/.exec(rest)?.[0] ?? '',
    pixelFormat: pixelFormat ?? '',
    ...{ width: Number(width ?? 0), height: Number(height ?? 0) },
    pixelAspect: across === undefined ? 1 : Number(across) / Number(down),
    fps: rateOf(rest, 'fps|tbr'),
    grid: exact(rateOf(rest, 'tbr')),
    rotation: Number(/displaymatrix: rotation of (-?[\d.]+) degrees/.exec(more)?.[1] ?? 0),
    interlaced: /(top|bottom) (first|coded)/.test(traits),
    matrix: matrixOf(traits),
    hdr: /smpte2084|arib-std-b67/.test(traits),
    dolbyVision: more.includes('DOVI configuration record'),
    alpha: isTransparent(pixelFormat ?? '', tags),
  }
}

/** Reads `29.97 fps` or `1k tbr`. */
function rateOf(rest: string, unit: string): number | null {
  const [, rate, thousands] = new RegExp(`, ([\\d.]+)(k?) (?:${unit})`).exec(rest) ?? []
  return rate === undefined ? null : Number(rate) * (thousands ? 1000 : 1)
}

/** The rate of television that ffmpeg has rounded: 23.98 stands for 24000/1001. */
function exact(rate: number | null): number | null {
  if (rate === null || Number.isInteger(rate)) return rate
  const television = Math.round(rate * 1.001) / 1.001
  return Math.abs(television - rate) < 0.01 ? television : rate
}

/** Reads `tv, bt2020nc/bt2020/arib-std-b67, progressive`, where the first of three names is that of the matrix. */
const matrixOf = (traits: string): string | null =>
  matrixNamed(traits.split(', ').map(trait => trait.replace(/\/.*/, '')))

function clock(log: string): number | null {
  const match = /^ {2}Duration: (-?)(\d+):(\d\d):(\d\d(?:\.\d+)?)/m.exec(log)
  if (!match || match[1]) return null
  return Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4])
}

/** Reads `flac, 44100 Hz, stereo, s32 (24 bit) (default)`. */
function trackOf(stream: Stream, position: number): AudioTrack {
  const [, codec = '', profile = '', rest = ''] = /^([^\s,]*)(?: \(([^/)]+)\))?(.*)$/.exec(stream.rest) ?? []
  const sampleRate = Number(/, (\d+) Hz/.exec(rest)?.[1] ?? 0)
  const [, layout = '', sample = ''] = /, \d+ Hz, ([^,]+)(?:, ([^,]+))?/.exec(rest) ?? []
  return {
    ...named(stream, position),
    codec,
    profile,
    sampleRate,
    layout: layout.trim(),
    channels: channelsOf(layout.trim()),
    ...bitsOf(sample, Number(/\((\d+) bit\)/.exec(sample)?.[1] ?? 0)),
  }
}

const namedLayouts: Record<string, number> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
  cube: 8,
  hexadecagonal: 16,
}

/** Number of channels of a layout by its name: `5.1(side)` has 6. */
function channelsOf(layout: string): number {
  const counted = /^(\d+) channels/.exec(layout)
  if (counted) return Number(counted[1])
  const name = layout.replace(/ ?\(.*$/, '')
  return namedLayouts[name] ?? name.split('.').reduce((sum, digits) => sum + (Number(digits) || 0), 0)
}
