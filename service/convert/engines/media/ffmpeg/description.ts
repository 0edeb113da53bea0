/**
 * Describes the streams of a file by ffprobe, or by ffmpeg where there is none, as in the program that is packed. There, tags,
 * languages and chapters come as data; codecs and lengths only stand in the log, every line of which about a stream must be understood.
 */
import { Writable } from 'node:stream'
import { JobFailure } from '../../../../shared/errors.ts'
import { type FileMetadata, parseMetadata } from './ffmetadata.ts'
import { matrixNamed, mediaOf, probed, type Stream } from './ffprobe.ts'
import type { MediaInfo } from './recording.ts'
import { type Demuxing, inputArguments, run } from './run.ts'

/** Longest metadata that is read; a book's lyrics have less than one megabyte. */
const METADATA_BYTES = 1 << 24

/**
 * What ffmpeg finds in the file at `path`, without decoding it.
 * @throws JobFailure as `run` does; Error if a stream is described in a way that is unknown here
 */
export const describe = async (path: string, how: Demuxing): Promise<MediaInfo> =>
  // Why a file cannot be read is known of ffmpeg.
  (await probed(inputArguments(path, how))) ?? (await described(path, how))

/** The same by ffmpeg alone. */
export async function described(path: string, { demuxer, inputOptions = [] }: Demuxing): Promise<MediaInfo> {
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
    demuxer,
    // The file is not read beyond its header; as a limit of the output, this would also drop chapters.
    inputOptions: [...inputOptions, '-t', '0'],
    output,
    outputOptions: ['-map', '0', '-copy_unknown', '-c', 'copy', '-f', 'ffmetadata'],
    verbosity: 'info',
    isReading: true,
  })
  return recordingOf(log, parseMetadata(Buffer.concat(pieces).toString()))
}

/** Puts together what the log says about input 0 and its metadata, as ffprobe would say it. */
export function recordingOf(log: string, metadata: FileMetadata): MediaInfo {
  // Only the description of the input: that of the output follows and looks the same.
  const [head = ''] = log.split(/^(?:Output #0|Stream mapping:)/m)
  const blocks = head.split(/^(?=\s+Stream #0:)/m).slice(1)
  if (blocks.length !== metadata.streams.length)
    throw new Error(`ffmpeg describes ${blocks.length} streams and copies ${metadata.streams.length}`)
  const first = Number(/^ {2}Duration: .*, start: (-?[\d.]+)/m.exec(head)?.[1] ?? 0)
  const made = /^ {4}creation_time +: (.+)$/im.exec(head)?.[1]
  return mediaOf(
    {
      format: {
        format_name: /^Input #0, (\S+), from /m.exec(head)?.[1] ?? '',
        ...{ duration: clock(head), start_time: String(first) },
        // No muxer gets this one, not even that of tags.
        tags: { ...(made === undefined ? {} : { creation_time: made }), ...metadata.tags },
      },
      streams: blocks.map((block, index) => streamOf(block, metadata.streams[index] ?? {})),
      // The muxer counts their times from the beginning of the file, and ffprobe does not.
      chapters: metadata.chapters.map(({ start, end, title }) => ({
        ...{ start_time: String(first + start), end_time: String(first + end), tags: { title } },
      })),
    },
    /^\[\w+ @ \w+\] Estimating duration from bitrate/m.test(head),
  )
}

/** Reads `  Stream #0:1[0x2](pt-BR): Audio: aac (LC), …`; the language in brackets may be any text. */
function streamOf(block: string, tags: Record<string, string>): Stream {
  const [line = '', ...more] = block.split('\n')
  const [, kind, rest = ''] =
    /^\s+Stream #0:\d+(?:\[0x[\da-f]+\])?(?:\(.*?\))?: (Audio|Video|Subtitle|Data|Attachment|Unknown)(?:: (.*))?$/.exec(
      line,
    ) ?? []
  if (kind === undefined) throw new Error(`unknown description of a stream by ffmpeg: ${line}`)
  const marked = (name: string) => Number(rest.includes(`(${name})`))
  return {
    codec_type: kind.toLowerCase(),
    // That of `subrip (srt) (default)`.
    codec_name: /^[^\s,]*/.exec(rest)?.[0] ?? '',
    tags,
    disposition: {
      default: marked('default'),
      forced: marked('forced'),
      attached_pic: marked('attached pic'),
    },
    ...(kind === 'Video' ? pictureOf(rest, more.join('\n')) : kind === 'Audio' ? trackOf(rest) : {}),
  }
}

const SIZE = /^(\d+)x(\d+)\b/

/** Splits a description at commas outside of brackets, which may hold others: `yuv420p(tv, top coded first (swapped))`. */
const partsOf = (rest: string): string[] =>
  (rest.match(/(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []).map(part => part.trim())

/** Reads `h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, top first), 1280x720 [SAR 1:1 DAR 16:9], 25 fps, …`. */
function pictureOf(rest: string, more: string): Partial<Stream> {
  const parts = partsOf(rest)
  const place = parts.findIndex(part => SIZE.test(part))
  const [, width, height] = SIZE.exec(parts[place] ?? '') ?? []
  const [, pixelFormat, traits = ''] = /^(\w+)(?:\((.*)\))?$/.exec(parts[place - 1] ?? '') ?? []
  // Without a size it is damaged.
  if (place >= 0 ? pixelFormat === undefined : / \d+x\d+\b/.test(rest))
    throw new Error(`unknown description of a picture by ffmpeg: ${rest}`)
  const rotation = /displaymatrix: rotation of (-?[\d.]+) degrees/.exec(more)?.[1]
  return {
    pix_fmt: pixelFormat,
    ...{ width: Number(width ?? 0), height: Number(height ?? 0) },
    // What the container says comes last, and counts.
    sample_aspect_ratio: [...rest.matchAll(/\bSAR (\d+:\d+)/g)].at(-1)?.[1],
    avg_frame_rate: rateOf(rest, 'fps'),
    r_frame_rate: rateOf(rest, 'tbr'),
    field_order: /(top|bottom) (first|coded)/.test(traits) ? 'tt' : undefined,
    // Of `tv, bt2020nc/bt2020/arib-std-b67, progressive`, the first of three names is that of the matrix.
    color_space: matrixNamed(traits.split(', ').map(trait => trait.replace(/\/.*/, ''))) ?? undefined,
    color_transfer: /smpte2084|arib-std-b67/.exec(traits)?.[0],
    side_data_list: [
      ...(rotation === undefined ? [] : [{ side_data_type: 'Display Matrix', rotation: Number(rotation) }]),
      ...(more.includes('DOVI configuration record') ? [{ side_data_type: 'DOVI' }] : []),
    ],
  }
}

/** Reads `29.97 fps` or `1k tbr`, where the rate of television is rounded: 23.98 stands for 24000/1001. */
function rateOf(rest: string, unit: string): string | undefined {
  const [, digits, thousands] = new RegExp(`, ([\\d.]+)(k?) ${unit}`).exec(rest) ?? []
  if (digits === undefined) return undefined
  const rate = Number(digits) * (thousands ? 1000 : 1)
  const whole = Math.round(rate * 1.001)
  return !Number.isInteger(rate) && Math.abs(whole / 1.001 - rate) < 0.01
    ? `${whole * 1000}/1001`
    : `${rate}/1`
}

/** Seconds of `  Duration: 00:01:02.34`, as text. */
function clock(log: string): string | undefined {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/m.exec(log) ?? []
  return hours && String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

/** Reads `flac, 44100 Hz, stereo, s32 (24 bit) (default)`. */
function trackOf(text: string): Partial<Stream> {
  const [, profile, rest = ''] = /^[^\s,]*(?: \(([^/)]+)\))?(.*)$/.exec(text) ?? []
  const [, rate, layout = '', sample = ''] = /, (\d+) Hz(?:, ([^,]+)(?:, ([^,]+))?)?/.exec(rest) ?? []
  return {
    ...{ profile, sample_rate: rate, sample_fmt: sample, channel_layout: layout.trim() },
    channels: channelsOf(layout.trim()),
    bits_per_raw_sample: /\((\d+) bit\)/.exec(sample)?.[1],
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
