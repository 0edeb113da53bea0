/** Several media files as one: decoded one after the other, and brought to one sample rate and number of channels. */
import { Readable } from 'node:stream'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { outputOf } from '../../../engines/media/ffmpeg/pipe.ts'
import {
  type AudioTrack,
  alone,
  type Chapter,
  isLossless,
  nothing,
} from '../../../engines/media/ffmpeg/recording.ts'
import type { Tags } from '../../../engines/media/taglib/tags.ts'
import { damageOf } from '../damage.ts'
import { pickTrack } from '../plan.ts'
import type { Source } from '../source.ts'

/** A media file to join. */
export interface AudioInput {
  name: string
  /** Its name without suffix, the title of its chapter. */
  stem: string
  source: Source
}

/** Samples as they are passed on, by the bits that all of the media files need. */
interface Samples {
  demuxer: string
  bytes: number
}

/** @param warn hears which of them are damaged */
export function joined(members: readonly AudioInput[], warn: Task['warn']): Source {
  const tracks = members.map(({ source }) => pickTrack(source.media.tracks))
  const { track, samples } = common(tracks)
  const seconds = members.map(({ source }) => source.media.seconds)
  /** Where each media file begins, in samples of the whole, as far as it has been read, and where the last one ends. */
  let starts = [0]
  let isFirst = true
  return {
    media: {
      // As in a chain of Ogg media files, a time is found by counting, and nothing can be copied.
      ...{ ...nothing, container: '', video: false, chained: true },
      seconds: seconds.includes(null) ? null : seconds.reduce<number>((sum, each) => sum + (each ?? 0), 0),
      estimated: members.some(({ source }) => source.media.estimated),
      tracks: [track],
    },
    open: () => {
      starts = [0]
      const warnOnce = isFirst ? warn : () => {}
      isFirst = false
      return {
        input: Readable.from(decoded(members, { track, tracks, samples, starts }, warnOnce), {
          objectMode: false,
        }),
        demuxer: samples.demuxer,
        inputOptions: ['-ar', String(track.sampleRate), '-ac', String(track.channels)],
      }
    },
    tags: () =>
      commonTags(
        members,
        starts.map(start => start / track.sampleRate),
      ),
  }
}

/** What holds all tracks: the highest rate, the most channels, the most bits. */
export function common(tracks: readonly AudioTrack[]): { track: AudioTrack; samples: Samples } {
  const most = (value: (track: AudioTrack) => number) => Math.max(...tracks.map(value))
  const sampleRate = most(track => track.sampleRate)
  const channels = most(track => track.channels)
  const whole = tracks.filter(({ codec }) => isLossless(codec))
  const bits = Math.max(0, ...whole.map(track => track.bits)) || most(track => track.bits)
  // What is resampled or was encoded with losses has no whole numbers any more.
  const isExact = tracks.every(
    track => isLossless(track.codec) && !track.float && track.sampleRate === sampleRate,
  )
  const samples = isExact
    ? { demuxer: bits <= 16 ? 's16le' : 's32le', bytes: bits <= 16 ? 2 : 4 }
    : whole.length > 0 && bits > 24
      ? { demuxer: 'f64le', bytes: 8 }
      : { demuxer: 'f32le', bytes: 4 }
  // The name decides how many bits are worth keeping.
  const codec = (whole[0] ?? tracks[0])?.codec ?? ''
  const float = whole.some(track => track.float)
  return { track: alone({ codec, sampleRate, channels, bits, float }), samples }
}

/** One channel is heard from both sides, as loud as before. */
export const BOTH_SIDES = 'pan=stereo|c0=c0|c1=c0'

interface Decoding {
  track: AudioTrack
  tracks: readonly AudioTrack[]
  samples: Samples
  /** Gets the end of each media file. */
  starts: number[]
}

async function* decoded(
  members: readonly AudioInput[],
  { track, tracks, samples, starts }: Decoding,
  warn: Task['warn'],
): AsyncGenerator<Buffer> {
  const frame = samples.bytes * track.channels
  for (const [index, { name, source }] of members.entries()) {
    const own = tracks[index]!
    const { inputOptions, ...input } = source.open()
    const { soundEnd } = source.media
    let bytes = 0
    const reading = outputOf(
      {
        ...input,
        inputOptions: [
          ...inputOptions,
          ...(soundEnd === null || own.position > 0 ? [] : ['-t', soundEnd.toFixed(6)]),
        ],
        outputOptions: [
          ...['-map', `0:a:${own.position}`, '-vn', '-sn', '-dn'],
          ...(own.channels === 1 && track.channels === 2 ? ['-af', BOTH_SIDES] : []),
          ...['-ar', String(track.sampleRate), '-ac', String(track.channels)],
          ...['-c:a', `pcm_${samples.demuxer}`, '-f', samples.demuxer],
        ],
        verbosity: 'verbose',
      },
      finished => {
        const damage = damageOf(source, { track: own, sampleRate: own.sampleRate, copy: false }, finished)
        if (!damage) return
        warn(message('recording.damaged_part', { name }))
        warn(damage)
      },
    )
    for await (const piece of reading) {
      bytes += piece.length
      yield piece
    }
    starts.push(starts.at(-1)! + Math.floor(bytes / frame))
  }
}

/** What all media files say in common, the first cover, and the chapters: their own where they have some, otherwise one for each. */
async function commonTags(members: readonly AudioInput[], starts: readonly number[]): Promise<Tags> {
  const all = await Promise.all(members.map(({ source }) => source.tags()))
  const [first, ...others] = all
  const isCommon = ([name, values]: [string, string[]]) =>
    others.every(({ properties }) => String(properties[name]) === String(values))
  return {
    properties: Object.fromEntries(Object.entries(first?.properties ?? {}).filter(isCommon)),
    pictures: all.find(({ pictures }) => pictures.length > 0)?.pictures ?? [],
    lyrics: [],
    chapters: joinedChapters(
      members.map(({ stem }, index) => ({ stem, chapters: all[index]?.chapters ?? [] })),
      starts,
    ),
  }
}

/**
 * The chapters of each file, or one for all of it if it has not several.
 * @param starts where each begins, in seconds, and where the last one ends
 */
export const joinedChapters = (
  members: readonly { stem: string; chapters: readonly Chapter[] }[],
  starts: readonly number[],
): Chapter[] =>
  members.flatMap(({ stem, chapters }, index): Chapter[] => {
    const [start, end = Number.POSITIVE_INFINITY] = starts.slice(index, index + 2)
    if (start === undefined) return []
    if (chapters.length < 2) return [{ title: stem, start, end }]
    return chapters.map(chapter => ({
      title: chapter.title,
      start: Math.min(end, start + chapter.start),
      end: Math.min(end, start + chapter.end),
    }))
  })
