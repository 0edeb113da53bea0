/** Cuts H.264 at any frame: only frames that would miss others are encoded again, and all packets between them are kept. */
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { isDamage } from '../../engines/common/damage.ts'
import {
  type AvcConfiguration,
  changeAvcConfiguration,
} from '../../engines/media/ffmpeg/avc-configuration.ts'
import { concatenated } from '../../engines/media/ffmpeg/concatenated.ts'
import type { MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { type Run, run } from '../../engines/media/ffmpeg/run.ts'
import type { Stretch } from '../../engines/media/speech/pauses.ts'
import { MOMENT, partsOf, type TimeRange, timeWithin } from '../audio/span.ts'
import { codecs, qualityArguments } from './codecs.ts'
import { type Packet, packetsOf } from './key-frames.ts'
import type { VideoTask } from './pass.ts'
import type { VideoSource } from './source.ts'

/** Frames in the order in which they are shown, whose packets are kept or not. */
interface Section {
  frames: Packet[]
  isCopied: boolean
}

/** x264's names of profiles, by their numbers (ITU-T H.264, A.2). */
const profiles: Record<number, string> = {
  66: 'baseline',
  77: 'main',
  100: 'high',
  110: 'high10',
  122: 'high422',
}

/** Arguments with which x264 decodes no frame, one or two before those that are shown first. */
const reordering = ['bframes=0', 'bframes=2:b-pyramid=none', 'bframes=3:b-pyramid=normal']

/** Numbers of the parameter sets of what is encoded. Of two frames that follow each other, both of which begin anew, only these differ. */
const OWN_SETS = [30, 31]

/** Whether the number of a set, which begins in this byte, is below those of ours: an Exp-Golomb code of up to seven bits. */
const isLow = (byte = 0) => byte >= 0x10

const x264 = codecs.h264.encoders.find(({ name }) => name === 'libx264')!

/** A picture that is put together of several files. */
interface Joined {
  input: NonNullable<Run['moreInputs']>[number]
  /** What it shows: the span, which begins and ends with frames. */
  span: TimeRange
}

/** Whether packets of a video may be kept when it is cut. */
const isCuttable = ({ picture, hidesPictures }: MediaInfo): boolean =>
  picture?.codec === 'h264' && !picture.interlaced && !picture.dolbyVision && !hidesPictures

/** Seconds after a cut in which encoders begin anew, if they ever do: x264 after 250 frames. */
const SEEN = 12

/** Whether packets of the longest part of a span are kept, as far as its beginning tells. */
export async function keepsPackets(source: VideoSource, span: TimeRange): Promise<boolean> {
  const [{ start, end }] = partsOf(span).toSorted((a, b) => b.end - b.start - (a.end - a.start)) as [Stretch]
  const seen = { start, end: Math.min(end, start + SEEN) }
  return (await sectionsWithin({ ...source, span: seen }).catch(otherwise)) !== null
}

/**
 * Writes the picture of a span without its gaps into the task's folder; null if it has to be encoded as a whole, since nothing of it
 * can be kept, or not in the usual way.
 */
export const smartCut = (video: VideoTask): Promise<Joined | null> => cutAtFrames(video).catch(otherwise)

function otherwise(error: unknown): null {
  // It is encoded as a whole, which tells what is wrong if that fails, too.
  if (error instanceof JobFailure || isDamage(error)) return null
  throw error
}

/** What of each part of a span is encoded, and what is kept; null if nothing can be. */
async function sectionsWithin({ media, open, span }: VideoSource & { span: TimeRange }) {
  if (!isCuttable(media)) return null
  const track = media.picture!
  const map = `0:v:${track.position}`
  // Units of time divide a second.
  const since = Math.floor(span.start)
  const { lists, units } = await packetsOf(open({ start: since, end: span.end }), map, since, [
    ...['null', 'filter_units=pass_types=5', 'filter_units=pass_types=7-8'],
  ])
  const [packets, anew, withSets] = lists as [Packet[], Packet[], Packet[]]
  const beginnings = new Set(anew.map(({ time }) => time))
  // Not all formats are read from a key frame on.
  if (since > 0 && !(packets[0]!.time <= span.start)) return null
  // Of sets that come on the way, those that change would be missing.
  const isUsual = withSets.length === 0 || withSets.length === anew.length
  if (units === 1 || !isUsual || withSets.some(({ time }) => !beginnings.has(time))) return null
  const parts = partsOf(span).map(part => sectionsOf(packets, beginnings, part))
  const key = parts.flat().find(({ isCopied }) => isCopied)?.frames[0]
  if (!key || parts.some(part => part.length === 0)) return null
  const lead = key.time - key.decoded
  const order = reordering[Math.round(lead * (track.fps ?? 0))]
  return order ? { track, map, units, packets, parts, lead, order } : null
}

async function cutAtFrames(video: VideoTask): Promise<Joined | null> {
  const { open, span, task } = video
  const within = await sectionsWithin(video)
  if (!within) return null
  const { track, map, units, packets, parts, lead, order } = within
  const sections = parts.flat()
  const exact = withFrames(span, parts, packets)

  const pathOf = (section: Section) => join(task.folder, `section-${sections.indexOf(section)}.mov`)
  const write = async (section: Section, ...given: string[]) => {
    const { frames } = section
    // A little earlier, since times are rounded.
    const start = Math.max(0, frames[0]!.time - 0.25 / units)
    const { inputOptions, ...input } = open({ start, end: null })
    await run({
      ...{ ...input, inputOptions: [...inputOptions, '-noautorotate'], output: pathOf(section) },
      outputOptions: [
        ...['-map', map, ...given, '-frames:v', String(frames.length)],
        ...['-video_track_timescale', String(units), '-f', 'mov'],
      ],
    })
    return (await changeAvcConfiguration(pathOf(section)))!
  }
  const found: AvcConfiguration[] = []
  for (const section of sections.filter(({ isCopied }) => isCopied))
    found.push(await write(section, '-c', 'copy', '-copypriorss', '0'))
  const { head, sets } = found[0]!
  const [sequence, picture] = sets
  const profile = profiles[head[1]!]
  if (!profile || !sequence.every(set => isLow(set[4])) || !picture.every(set => isLow(set[1]))) return null
  for (const [index, section] of sections.filter(({ isCopied }) => !isCopied).entries()) {
    const parameters = [`level=${head[3]}`, `sps-id=${OWN_SETS[index % OWN_SETS.length]}`, order]
    const given = [
      ...['-c:v', x264.name, ...x264.arguments, ...qualityArguments(x264, 100), '-profile:v', profile],
      ...['-x264-params', parameters.join(':'), '-pix_fmt', track.pixelFormat],
      ...['-fps_mode:v', 'passthrough', '-enc_time_base:v', `1/${units}`, '-threads:v', String(task.cores)],
      // As long before they are shown as those that are kept.
      ...['-bsf:v', `setts=pts=PTS:dts=DTS-STARTDTS+STARTPTS-${Math.round(lead * units)}`],
    ]
    found.push(await write(section, ...given))
  }
  const all = (kind: 0 | 1) => [
    ...new Map(found.flatMap(({ sets }) => sets[kind].map(set => [set.toString('hex'), set]))).values(),
  ]
  await changeAvcConfiguration(pathOf(sections[0]!), before => ({ ...before, sets: [all(0), all(1)] }))
  const times = sections.map(({ frames }) => frames.map(({ time }) => timeWithin(exact, time)))
  const begins = times.map(([first]) => first!)
  const begin = begins[0]!
  const list = await concatenated(
    task.folder,
    sections.map(pathOf),
    begins.slice(1).map((next, index) => next - begins[index]!),
  )
  const { lists } = await packetsOf(list, '0:v', begin)
  const isSame = isAlike(lists[0]!, times.flat(), 1 / units)
  // A picture may begin later than its sound.
  return isSame ? { input: { ...list, inputOptions: ['-itsoffset', begin.toFixed(6)] }, span: exact } : null
}

/** What of a part is encoded, and what is kept: from the first frame that begins anew, as long as frames need none after the end. */
function sectionsOf(packets: readonly Packet[], beginnings: ReadonlySet<number>, part: Stretch): Section[] {
  const [start, end] = [part.start - MOMENT, part.end - MOMENT]
  const shown = packets.filter(({ time }) => time >= start && time < end).toSorted((a, b) => a.time - b.time)
  const key = packets.findIndex(({ time }) => time >= start && time < end && beginnings.has(time))
  const before = key < 0 ? shown.length : shown.findIndex(({ time }) => time >= packets[key]!.time)
  // Frames are decoded in another order, so that those that were decoded must be all that are shown until then.
  let kept = 0
  let latest = -Infinity
  for (let count = 0; key >= 0 && before + count < shown.length; count++) {
    const { time } = packets[key + count]!
    latest = Math.max(latest, time)
    if (latest === shown[before + count]!.time) kept = count + 1
  }
  return [
    { frames: shown.slice(0, before), isCopied: false },
    { frames: shown.slice(before, before + kept), isCopied: true },
    { frames: shown.slice(before + kept), isCopied: false },
  ].filter(({ frames }) => frames.length > 0)
}

/** The span whose parts begin and end with frames. */
function withFrames({ start, end, gaps = [] }: TimeRange, parts: Section[][], packets: Packet[]): TimeRange {
  const times = packets.map(({ time }) => time).toSorted((a, b) => a - b)
  const [first, ...others] = parts.map(part => part[0]!.frames[0]!.time) as [number, ...number[]]
  const between = gaps.map((gap, index) => ({
    start: times.find(time => time >= gap.start - MOMENT)!,
    end: others[index]!,
  }))
  return { start: start === 0 ? 0 : first, end, ...(between.length > 0 && { gaps: between }) }
}

/** Whether packets are shown at these times, to a unit, and decoded in order, each before it is shown. */
function isAlike(packets: readonly Packet[], times: readonly number[], unit: number): boolean {
  const shown = packets.map(({ time }) => time).toSorted((a, b) => a - b)
  return (
    packets.length === times.length &&
    shown.every((time, index) => Math.abs(time - times[index]!) < 1.5 * unit) &&
    packets.every(
      ({ time, decoded }, index) => decoded <= time && (index === 0 || decoded > packets[index - 1]!.decoded),
    )
  )
}
