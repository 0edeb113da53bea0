/** Measures a media file: what ffmpeg says about it, corrected by what its container really holds. */
import { open, stat } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { boxesAt, boxesBetween } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'
import { bareDemuxer, isUndecodable } from './bare.ts'
import { ASF_HEADER, asf, isCutOff, isOfBoxes, lastOggPage, oggPageBytes } from './cut-off.ts'
import { describe } from './description.ts'
import { refused } from './failures.ts'
import { hidesPictures, type TrackTimes, taggedSamples, timesOf } from './gapless.ts'
import { isLossless, type MediaInfo } from './recording.ts'
import { type Demuxing, run } from './run.ts'
import { describeFlac, describeWav } from './simple.ts'

/** Sample entries of encrypted audio: Common Encryption, FairPlay, Audible. */
const protectedEntries = new Set(['enca', 'drms', 'aavd'])

/** GUIDs of ASF's objects of encrypted content, the original one and its extension. */
const asfEncryption = ['fbb3112223bdd211b4b700a0c955fc6e', '14e68a292226174cb935dae07ee9289c'].map(asf)

/** How many bytes of an ASF header are searched. */
const ASF_LIMIT = 1 << 18

/** Recognises media files protected by DRM, whose packets ffmpeg would consider damaged. */
async function isProtected(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const start = await readAt(file, 0, 16)
  if (start.equals(ASF_HEADER)) {
    const header = await readAt(file, 0, ASF_LIMIT)
    return asfEncryption.some(guid => header.includes(guid))
  }
  if (!isOfBoxes(start)) return false
  for await (const { start, end } of boxesAt(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd')) {
    // The version and number of sample descriptions come before them.
    for await (const entry of boxesBetween(file, start + 8, end)) {
      if (protectedEntries.has(entry.type)) return true
    }
  }
  return false
}

/** Most streams that are played at the same time. */
const STREAM_LIMIT = 64

/** Marks the first page of a stream. */
const BEGIN = 2

/**
 * Detects chains: several Ogg media files one after the other in one file (RFC 3533, section 4), as recorders of internet radio
 * write them. The length in their header is that of the last one, whose page belongs to none of the streams of the beginning.
 */
async function isChained(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const first = new Set<number>()
  for (let at = 0; first.size < STREAM_LIMIT; ) {
    const page = await readAt(file, at, 27 + 255)
    if (page.length < 28 || page.toString('latin1', 0, 4) !== 'OggS' || !(page.readUInt8(5) & BEGIN)) break
    first.add(page.readUInt32LE(14))
    at += oggPageBytes(page)
  }
  const last = await lastOggPage(file)
  return first.size > 0 && last.length >= 18 && !first.has(last.readUInt32LE(14))
}

/** How long a full scan may take of a file whose header does not contain its length or is implausible. */
const SCAN_SECONDS = 60

/** Size up to which a truncated file is scanned: reading a larger one would take longer than somebody waits. */
const SCAN_BYTES = 500_000_000

/**
 * Describes a media file without decoding it.
 * @param format the format by name and content, which resolves what ffmpeg is unsure of
 * @throws JobFailure as `run` does; `encrypted_input` if the audio is protected by DRM
 */
export async function probe(path: string, format?: string): Promise<MediaInfo> {
  if ((await stat(path)).size === 0) throw new JobFailure('jobs.corrupt_input')
  const simple = (await describeWav(path)) ?? (await describeFlac(path, format))
  if (simple) return simple
  if (await isProtected(path)) throw new JobFailure('jobs.encrypted_input')
  const sure: Demuxing = known[format ?? ''] ?? { demuxer: await bareDemuxer(path, format) }
  const { media, demuxer } = sure.demuxer
    ? { media: await describe(path, sure), demuxer: sure.demuxer }
    : await lookWithAny(path, demuxers[format ?? '']).catch(async error => {
        if (!(await isUndecodable(path, format))) throw error
        throw refused()
      })
  const times = isMp4(media) ? await timesOf(path, 0) : null
  const described: MediaInfo = {
    ...media,
    demuxer,
    cutOff: await isCutOff(path),
    hidesPictures: isMp4(media) && (await hidesPictures(path)),
    chained: media.container === 'ogg' && (await isChained(path)),
    seekable: isSeekable(media, times),
    soundEnd: soundEnd(media, times),
  }
  const seconds = await actualSeconds(path, described, times)
  // Other containers have placeholders that were never filled in; the header of an MP3 was written after its end.
  const isMeant = described.cutOff || described.container === 'mp3'
  const missing = isMeant && seconds !== null ? (described.seconds ?? 0) - seconds : 0
  return { ...described, seconds, promised: missing > TOLERANCE_SECONDS ? described.seconds : null }
}

/** Subtitles of a DVD in one language may begin where those in another end. */
export const vobsub = { demuxer: 'mpeg', inputOptions: ['-analyzeduration', '1T', '-probesize', '100M'] }

/** Formats whose demuxers are only used for what is known to be of them. */
const known: Record<string, Demuxing | undefined> = { gif: { demuxer: 'gif' }, vobsub }

/** ffmpeg's names of the demuxers of our other formats. */
const demuxers: Record<string, string | undefined> = {
  ...{ mp3: 'mp3', aac: 'aac', flac: 'flac', ogg: 'ogg', opus: 'ogg', wav: 'wav', wma: 'asf', avi: 'avi' },
  ...{ ac3: 'ac3', aiff: 'aiff', amr: 'amr', caf: 'caf', m4r: 'mov', mka: 'matroska', weba: 'matroska' },
  ...{ dsf: 'dsf', tta: 'tta', wv: 'wv' },
  ...{ m4a: 'mov', m4b: 'mov', mp4: 'mov', mov: 'mov', mkv: 'matroska', webm: 'matroska' },
  ...{ flv: 'flv', mpg: 'mpeg', ts: 'mpegts', wmv: 'asf', ogv: 'ogg' },
}

/** Probes with ffmpeg's own guess of the format, otherwise with the format of its name. */
async function lookWithAny(path: string, demuxer: string | undefined) {
  try {
    return { media: await describe(path, {}), demuxer: null }
  } catch (error) {
    if (!demuxer || !(error instanceof JobFailure) || error.code !== 'jobs.corrupt_input') throw error
    const media = await describe(path, { demuxer }).catch(() => {
      throw error
    })
    return { media, demuxer }
  }
}

const isMp4 = ({ container }: MediaInfo) => container.startsWith('mov,')

function isSeekable(media: MediaInfo, times: TrackTimes | null): boolean {
  const [track] = media.tracks
  if (!track) return false
  if (/^(wav|flac)$/.test(media.container)) return /^(pcm_|flac$)/.test(track.codec)
  // HE-AAC needs much of the preceding audio. With a clock that does not count samples, times would be rounded.
  const exact = track.codec === 'alac' || (track.codec === 'aac' && track.profile === 'LC')
  return exact && times?.scale === track.sampleRate && times.steady
}

/** Largest difference between the exact length and the header's; above that, one of them is wrong. */
const TOLERANCE_SECONDS = 0.25

function soundEnd({ tracks, tags, seconds }: MediaInfo, times: TrackTimes | null): number | null {
  const [track] = tracks
  if (track?.codec !== 'aac' || seconds === null) return null
  const samples = taggedSamples(tags.itunsmpb)
  const end = samples === null ? (times?.edited ?? null) : samples / track.sampleRate
  return end !== null && Math.abs(end - seconds) < TOLERANCE_SECONDS ? end : null
}

/**
 * Length of the media file at `path` in seconds: what its header says if that is plausible, otherwise the time of its
 * last packet.
 * @throws JobFailure as `run` does
 */
async function actualSeconds(
  path: string,
  media: MediaInfo,
  times: TrackTimes | null,
): Promise<number | null> {
  const { seconds, demuxer, estimated } = media
  // MP4's table of packets is what is played; without an edit list, all of it.
  if (times?.edited === null && times.total !== null && seconds !== null && !media.cutOff)
    return Math.max(seconds, times.total)
  const { tracks, picture } = media
  // Only the first track of sound tells how long a media file is to be played; of one without, the header does if it can.
  if (tracks.length === 0 && (seconds !== null || !picture)) return seconds
  const { size } = await stat(path)
  const isMissingSome = media.chained || (media.cutOff && size < SCAN_BYTES)
  if (seconds !== null && !estimated && !isMissingSome && isPlausible(media, size)) return seconds
  try {
    const outputOptions = ['-map', tracks.length > 0 ? '0:a:0' : `0:v:${picture!.position}`, '-c', 'copy']
    const scan = { input: path, demuxer, output: null, outputOptions }
    const { time } = await run({ ...scan, seconds: SCAN_SECONDS, isReading: true })
    return time > 0 ? time : seconds
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'jobs.timeout') return seconds
    throw error
  }
}

/** Maximum bits per second of video, and of audio in a lossy codec. */
const VIDEO_BITS = 100_000_000
const SOUND_BITS = 700_000

/** Bits per second below which hardly any media file is encoded; a scan of so small a file is quick. */
const LEAST_BITS = 8_000

/** Whether a file of this size can really be as short, or as long, as its header says. */
function isPlausible({ seconds, video, tracks }: MediaInfo, bytes: number): boolean {
  const most = tracks.reduce(
    (sum, { codec, sampleRate, channels, bits }) =>
      sum + (isLossless(codec) ? sampleRate * channels * bits * 1.1 : Math.max(1, channels / 2) * SOUND_BITS),
    video ? VIDEO_BITS : 0,
  )
  const rate = (bytes * 8) / Math.max(1, seconds ?? 0)
  return rate >= LEAST_BITS && rate <= most
}
