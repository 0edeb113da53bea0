/** Describes a recording by parsing ffmpeg's log, since many installations have no ffprobe. */
import { stat } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { bareDemuxer, isUndecodable } from './bare.ts'
import { isChained } from './chained.ts'
import { isCutOff } from './cut-off.ts'
import { type TrackTimes, taggedSamples, timesOf } from './gapless.ts'
import { isProtected } from './protection.ts'
import type { AudioTrack, Chapter, Recording } from './recording.ts'
import { isLossless } from './recording.ts'
import { run } from './run.ts'
import { describeFlac, describeWav } from './simple.ts'

/** How long probing a file may take. */
const PROBE_SECONDS = 20

/** How long a full scan may take of a file whose header does not contain its length or is implausible. */
const SCAN_SECONDS = 60

/** Size up to which a truncated file is scanned: reading a larger one would take longer than somebody waits. */
const SCAN_BYTES = 500_000_000

/**
 * Describes a recording without decoding it.
 * @param format the format by name and content, which resolves what ffmpeg is unsure of
 * @throws JobFailure as `run` does; `encrypted_input` if the audio is protected by DRM
 */
export async function probe(path: string, format?: string): Promise<Recording> {
  const simple = (await describeWav(path)) ?? (await describeFlac(path, format))
  if (simple) return simple
  if (await isProtected(path)) throw new JobFailure('jobs.encrypted_input')
  const sure = await bareDemuxer(path, format)
  const { recording, demuxer } = sure
    ? { recording: parse(await look(path, sure)), demuxer: sure }
    : await lookWithAny(path, demuxers[format ?? '']).catch(async error => {
        if (!(await isUndecodable(path, format))) throw error
        throw new JobFailure('jobs.unsupported_input', message('recording.unknown_codec'))
      })
  const times = isMp4(recording) ? await timesOf(path, 0) : null
  const described: Recording = {
    ...recording,
    demuxer,
    cutOff: await isCutOff(path),
    chained: recording.container === 'ogg' && (await isChained(path)),
    seekable: isSeekable(recording, times),
    soundEnd: soundEnd(recording, times),
  }
  const seconds = await trueSeconds(path, described, times)
  // Other containers have placeholders that were never filled in; the header of an MP3 was written after its end.
  const isMeant = described.cutOff || described.container === 'mp3'
  const missing = isMeant && seconds !== null ? (described.seconds ?? 0) - seconds : 0
  return { ...described, seconds, promised: missing > TOLERANCE_SECONDS ? described.seconds : null }
}

/** ffmpeg's names of the demuxers of our formats. */
const demuxers: Record<string, string | undefined> = {
  ...{ mp3: 'mp3', aac: 'aac', flac: 'flac', ogg: 'ogg', opus: 'ogg', wav: 'wav', wma: 'asf', avi: 'avi' },
  ...{ m4a: 'mov', m4b: 'mov', mp4: 'mov', mov: 'mov', mkv: 'matroska', webm: 'matroska' },
}

/** The log of probing a file. */
async function look(path: string, demuxer: string | undefined): Promise<string> {
  const { log } = await run({
    input: path,
    ...(demuxer ? { demuxer } : {}),
    output: null,
    outputOptions: ['-map', '0:a:0', '-c', 'copy', '-t', '0'],
    verbosity: 'info',
    seconds: PROBE_SECONDS,
  })
  return log
}

/** Probes with ffmpeg's own guess of the format, otherwise with the format of its name. */
async function lookWithAny(path: string, demuxer: string | undefined) {
  try {
    return { recording: parse(await look(path, undefined)), demuxer: null }
  } catch (error) {
    if (!demuxer || !(error instanceof JobFailure) || error.code !== 'jobs.corrupt_input') throw error
    const log = await look(path, demuxer).catch(() => {
      throw error
    })
    return { recording: parse(log), demuxer }
  }
}

const isMp4 = ({ container }: Recording) => container.startsWith('mov,')

function isSeekable(recording: Recording, times: TrackTimes | null): boolean {
  const [track] = recording.tracks
  if (!track) return false
  if (/^(wav|flac)$/.test(recording.container)) return /^(pcm_|flac$)/.test(track.codec)
  // HE-AAC needs much of the preceding audio. With a clock that does not count samples, times would be rounded.
  const exact = track.codec === 'alac' || (track.codec === 'aac' && track.profile === 'LC')
  return exact && times?.scale === track.sampleRate && times.steady
}

/** Largest difference between the exact length and the header's; above that, one of them is wrong. */
const TOLERANCE_SECONDS = 0.25

function soundEnd({ tracks, tags, seconds }: Recording, times: TrackTimes | null): number | null {
  const [track] = tracks
  if (track?.codec !== 'aac' || seconds === null) return null
  const samples = taggedSamples(tags.itunsmpb)
  const end = samples === null ? (times?.edited ?? null) : samples / track.sampleRate
  return end !== null && Math.abs(end - seconds) < TOLERANCE_SECONDS ? end : null
}

/**
 * Length of the recording at `path` in seconds: what its header says if that is plausible, otherwise the time of its
 * last packet.
 * @throws JobFailure as `run` does
 */
async function trueSeconds(
  path: string,
  recording: Recording,
  times: TrackTimes | null,
): Promise<number | null> {
  const { seconds, demuxer, estimated } = recording
  // MP4's table of packets is what is played; without an edit list, all of it.
  if (times?.edited === null && times.total !== null && seconds !== null && !recording.cutOff)
    return Math.max(seconds, times.total)
  if (recording.tracks.length === 0) return seconds
  const { size } = await stat(path)
  const isMissingSome = recording.chained || (recording.cutOff && size < SCAN_BYTES)
  if (seconds !== null && !estimated && !isMissingSome && isPlausible(recording, size)) return seconds
  try {
    const outputOptions = ['-map', '0:a:0', '-c', 'copy']
    const scan = { input: path, ...(demuxer ? { demuxer } : {}), output: null, outputOptions }
    const { time } = await run({ ...scan, seconds: SCAN_SECONDS })
    return time > 0 ? time : seconds
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'jobs.timeout') return seconds
    throw error
  }
}

/** Maximum bits per second of video, and of audio in a lossy codec. */
const VIDEO_BITS = 100_000_000
const SOUND_BITS = 700_000

/** Bits per second below which hardly any recording is encoded; a scan of so small a file is quick. */
const LEAST_BITS = 8_000

/** Whether a file of this size can really be as short, or as long, as its header says. */
function isPlausible({ seconds, video, tracks }: Recording, bytes: number): boolean {
  const most = tracks.reduce(
    (sum, { codec, sampleRate, channels, bits }) =>
      sum + (isLossless(codec) ? sampleRate * channels * bits * 1.1 : Math.max(1, channels / 2) * SOUND_BITS),
    video ? VIDEO_BITS : 0,
  )
  const rate = (bytes * 8) / Math.max(1, seconds ?? 0)
  return rate >= LEAST_BITS && rate <= most
}

/** Reads the description of input 0 out of ffmpeg's log. */
export function parse(log: string): Recording {
  // Only the description of the input: that of the output follows and looks the same.
  const lines = log.slice(0, Math.max(0, log.search(/^(Output #0|Stream mapping:)/m))).split('\n')
  const recording: Recording = {
    container: /^Input #0, (\S+), from /m.exec(log)?.[1] ?? '',
    demuxer: null,
    seconds: null,
    promised: null,
    cutOff: false,
    video: false,
    chained: false,
    soundEnd: null,
    seekable: false,
    estimated: /^\[\w+ @ \w+\] Estimating duration from bitrate/m.test(log),
    tracks: [],
    tags: Object.create(null),
    chapters: [],
  }
  let chapter: Chapter | undefined
  // The file's tags come before its streams; in Ogg they belong to the first stream.
  let tags: Recording['tags'] | null = null
  let last = ''
  for (const line of lines) {
    const tag = /^( {4}| {6}| {8})(\S.{0,60}?) *: (.*)$/.exec(line)
    const more = /^ {20,24}: (.*)$/.exec(line)
    if (/^Input #0/.test(line)) {
      tags = recording.tags
    } else if (/^ {2}Duration: /.test(line)) {
      recording.seconds = clock(line)
    } else if (/^ {4}Chapter #/.test(line)) {
      const [start = 0, end = 0] = [...line.matchAll(/(?:start|end) (-?[\d.]+)/g)].map(m => Number(m[1]))
      chapter = { start, end, title: '' }
      recording.chapters.push(chapter)
      tags = null
    } else if (/^ {2}Stream #0:/.test(line)) {
      const track = audioTrack(line, recording.tracks.length)
      if (track) recording.tracks.push(track)
      recording.video ||= /^ {2}Stream #0:\d+\S*: Video: (?!.*\(attached pic\))/.test(line)
      chapter = undefined
      tags = track?.position === 0 ? recording.tags : null
    } else if (more && last !== '') {
      if (tags) tags[last] += `\n${more[1]}`
    } else if (tag && chapter) {
      if (tag[2] === 'title') chapter.title = tag[3] ?? ''
    } else if (tag && tags) {
      last = (tag[2] ?? '').toLowerCase()
      tags[last] ??= tag[3] ?? ''
      continue
    }
    if (!more) last = ''
  }
  return recording
}

function clock(line: string): number | null {
  const match = /Duration: (-?)(\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(line)
  if (!match || match[1]) return null
  return Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4])
}

/** Reads `  Stream #0:1[0x2](eng): Audio: flac, 44100 Hz, stereo, s32 (24 bit) (default)`. */
function audioTrack(line: string, position: number): AudioTrack | null {
  const head =
    /^ {2}Stream #0:\d+(?:\[0x[\da-f]+\])?(?:\((\w+)\))?: Audio: (\w+)(?: \(([^/)]+)\))?(.*)$/.exec(line)
  if (!head) return null
  const [, language, codec = '', profile = '', rest = ''] = head
  const sampleRate = Number(/, (\d+) Hz/.exec(rest)?.[1] ?? 0)
  const [, layout = '', sample = ''] = /, \d+ Hz, ([^,]+)(?:, ([^,]+))?/.exec(rest) ?? []
  const [, kind = 's', size = '16'] = /^(u|s|flt|dbl)(\d*)/.exec(sample) ?? []
  const float = kind === 'flt' || kind === 'dbl'
  return {
    position,
    codec,
    profile,
    sampleRate,
    layout: layout.trim(),
    channels: channelsOf(layout.trim()),
    bits: Number(/\((\d+) bit\)/.exec(sample)?.[1] ?? (float ? (kind === 'flt' ? 32 : 64) : size)),
    float,
    language: language && language !== 'und' ? language : null,
    preferred: /\(default\)/.test(rest),
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
