/** What ffprobe says of a file, as data (ffprobe(1), "Writers"). It comes with most builds of ffmpeg, though not with all. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { environment, ffmpeg } from './locate.ts'
import {
  type AudioTrack,
  type Chapter,
  type MediaInfo,
  nothing,
  type PictureTrack,
  type SubtitleTrack,
  type TrackName,
} from './recording.ts'

/** Longest answer that is read; the chapters and lyrics of a book have less than one megabyte. */
const ANSWER_BYTES = 1 << 24

/** How long it may take; a file that needs longer is left to ffmpeg, whose time the job limits. */
const PATIENCE_MS = 60_000

export interface Stream {
  codec_type?: string | undefined
  codec_name?: string | undefined
  profile?: string | undefined
  sample_fmt?: string | undefined
  sample_rate?: string | undefined
  channels?: number | undefined
  channel_layout?: string | undefined
  bits_per_raw_sample?: string | undefined
  pix_fmt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  sample_aspect_ratio?: string | undefined
  avg_frame_rate?: string | undefined
  r_frame_rate?: string | undefined
  field_order?: string | undefined
  color_space?: string | undefined
  color_transfer?: string | undefined
  disposition: Record<string, number>
  tags?: Record<string, string> | undefined
  side_data_list?: { side_data_type: string; rotation?: number }[]
}

interface Answer {
  format: {
    format_name: string
    start_time?: string
    duration?: string | undefined
    tags?: Record<string, string>
  }
  streams: Stream[]
  chapters: { start_time: string; end_time: string; tags?: Record<string, string> }[]
}

/**
 * Describes a file without decoding it; null where there is no ffprobe, or it could not read the file.
 * @param input the arguments with which it is read
 */
export async function probed(input: readonly string[]): Promise<MediaInfo | null> {
  const { path: program } = await ffmpeg()
  const prober = join(dirname(program), process.platform === 'win32' ? 'ffprobe.exe' : 'ffprobe')
  if (!existsSync(prober)) return null
  const wanted = ['-of', 'json', '-show_format', '-show_streams', '-show_chapters']
  const settings = { env: environment(), timeout: PATIENCE_MS, maxBuffer: ANSWER_BYTES, windowsHide: true }
  try {
    const { stdout, stderr } = await promisify(execFile)(
      prober,
      ['-v', 'warning', ...wanted, ...input],
      settings,
    )
    const answer: Answer = JSON.parse(stdout)
    // Whether it can be used nevertheless is found out by trying.
    if (!answer.streams.every(isKnown)) return null
    // Only a warning says so.
    return mediaOf(answer, stderr.includes('Estimating duration from bitrate'))
  } catch {
    return null
  }
}

/** Whether a stream has what it is decoded by, which ffprobe leaves out of damaged ones. */
const isKnown = ({ codec_type, channels, width }: Stream) =>
  codec_type === 'audio' ? Boolean(channels) : codec_type === 'video' ? Boolean(width) : true

/** @param estimated whether its length is only estimated from its bit rate */
export function mediaOf({ format, streams, chapters }: Answer, estimated: boolean): MediaInfo {
  const of = (kind: string) => streams.filter(({ codec_type }) => codec_type === kind)
  const isCover = ({ disposition }: Stream) => disposition.attached_pic === 1
  const [audio, video] = [of('audio'), of('video')]
  const [picture = null, ...otherPictures] = video
    .map((stream, position) => ({ stream, position }))
    .filter(({ stream }) => !isCover(stream))
    .map(({ stream, position }) => pictureOf(stream, position))
  const seconds = Number(format.duration ?? -1)
  // A file need not begin at zero, but what is made of it does.
  const start = Number(format.start_time ?? 0)
  const shown = (time: string) => Math.max(0, Number(time) - start)
  return {
    ...nothing,
    ...{ container: format.format_name, start },
    seconds: seconds >= 0 ? seconds : null,
    video: picture !== null,
    estimated,
    tracks: audio.map(trackOf),
    ...{ picture, otherPictures, covers: video.filter(isCover).length },
    subtitles: of('subtitle').map(
      (stream, position): SubtitleTrack => ({ ...named(stream, position), codec: codecOf(stream) }),
    ),
    // In Ogg they belong to the first stream.
    tags: Object.assign(Object.create(null), tagsOf(audio[0] ?? video[0] ?? {}), tagsOf(format)),
    chapters: chapters.map(
      (chapter): Chapter => ({
        start: shown(chapter.start_time),
        end: shown(chapter.end_time),
        title: tagsOf(chapter).title ?? '',
      }),
    ),
  }
}

const codecOf = ({ codec_name }: Stream) => codec_name ?? 'none'

/** Under lower-case names; of several with a name, the first. */
function tagsOf({ tags = {} }: { tags?: Record<string, string> | undefined }): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(tags)) found[name.toLowerCase()] ??= value
  return found
}

/** What programs write about themselves where MP4 and MOV have the name of a track. */
const MAKERS = /handler|media|gpac|l-smash|mainconcept|^\W*((sound|video|audio|subtitle|stereo|mono)\W*)?$/i

/** What a track is called, its language, and what it is meant for. */
function named(stream: Stream, position: number): TrackName {
  const { language, title, handler_name = '' } = tagsOf(stream)
  return {
    position,
    language: language && language !== 'und' ? language : null,
    title: title ?? (MAKERS.test(handler_name) ? null : handler_name),
    preferred: stream.disposition.default === 1,
    forced: stream.disposition.forced === 1,
  }
}

/** A fraction such as `30000/1001`; null if it is not one. */
function fraction(text: string | undefined): number | null {
  const [over, under] = (text ?? '').split(/[/:]/).map(Number)
  return over && under ? over / under : null
}

function pictureOf(stream: Stream, position: number): PictureTrack {
  const { pix_fmt = '', width = 0, height = 0, side_data_list = [] } = stream
  const grid = fraction(stream.r_frame_rate)
  return {
    ...{ position, codec: codecOf(stream), pixelFormat: pix_fmt, width, height },
    pixelAspect: fraction(stream.sample_aspect_ratio) ?? 1,
    fps: fraction(stream.avg_frame_rate) ?? grid,
    grid,
    rotation: side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0,
    interlaced: /^[tb][tb]$/.test(stream.field_order ?? ''),
    matrix: matrixNamed([stream.color_space ?? '']),
    hdr: /^(smpte2084|arib-std-b67)$/.test(stream.color_transfer ?? ''),
    dolbyVision: side_data_list.some(({ side_data_type }) => side_data_type.startsWith('DOVI')),
    alpha: isTransparent(pix_fmt, tagsOf(stream)),
  }
}

/** Names of the layouts that ffmpeg takes tracks to have which name none, by their number of channels. */
const LAYOUTS = ['', 'mono', 'stereo', '2.1', '4.0', '5.0', '5.1', '6.1', '7.1']

function trackOf(stream: Stream, position: number): AudioTrack {
  const { profile = '', sample_rate = '0', channels = 0, sample_fmt = '', bits_per_raw_sample } = stream
  return {
    ...named(stream, position),
    ...{ codec: codecOf(stream), profile, sampleRate: Number(sample_rate), channels },
    layout: stream.channel_layout ?? LAYOUTS[channels] ?? `${channels} channels`,
    ...bitsOf(sample_fmt, Number(bits_per_raw_sample ?? 0)),
  }
}

/** The first of these names that is one of a matrix between colours and those of screens. */
export const matrixNamed = (names: readonly string[]): string | null =>
  names.find(name => /^(bt\d|smpte|fcc|gbr|ycgco|ictcp)/.test(name)) ?? null

/** Whether pixels of such a format may be transparent; WebM keeps that apart, and says so in a tag. */
const isTransparent = (pixelFormat: string, tags: Record<string, string>): boolean =>
  /^(yuva|ya\d|[rb]gba|a[rb]g[rb]|gbrap)/.test(pixelFormat) || tags.alpha_mode === '1'

/** Bits of a decoded sample in a format such as `s32p`, of which a codec may use fewer. */
function bitsOf(format: string, used: number): { bits: number; float: boolean } {
  const [, kind = 's', size = '16'] = /^(u|s|flt|dbl)(\d*)/.exec(format) ?? []
  const float = kind === 'flt' || kind === 'dbl'
  return { bits: used || Number(float ? (kind === 'flt' ? 32 : 64) : size), float }
}
