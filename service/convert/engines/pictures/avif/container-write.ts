/** Writes AVIF image sequences (AV1 Image File Format 1.1, HEIF ISO/IEC 23008-12 and MIAF ISO/IEC 23000-22). */

import { box, fullBox, handler, text, u16, u32, u64 } from '../../common/iso-boxes.ts'
import { configurationOf, sequenceHeader } from './av1.ts'
import { auxC, ispe, meta, type NewItem, nclx, pixi } from './items-write.ts'

/** Encoded colour or alpha frames. */
export interface Coded {
  /** Temporal units without delimiters, one for each frame. */
  samples: Buffer[]
  sampling: 'gray' | 'yuv420p' | 'yuv444p'
  /** CICP matrix coefficients: 0 for RGB, 6 for BT.601. */
  matrix: number
}

export interface Sequence {
  width: number
  height: number
  /** Duration of each frame in milliseconds. */
  delays: number[]
  /** Number of times to play; 0 is endlessly. */
  loop: number
  color: Coded
  alpha: Coded | undefined
}

const MILLISECONDS = 1000
const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0'
const UNITY = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const FOREVER = 0xffffffffffffffffn

/**
 * The parts of the file in order. The first frame is also the still image for readers without animation support.
 * Colours are sRGB in full range.
 */
export function writeSequence(sequence: Sequence): Buffer[] {
  const tracks = [sequence.color, ...(sequence.alpha ? [sequence.alpha] : [])]
  const ftyp = box(
    'ftyp',
    text('avis'),
    u32(0),
    ...['avif', 'avis', 'msf1', 'iso8', 'mif1', 'miaf'].map(text),
  )
  const sizes = tracks.map(track => track.samples.reduce((sum, sample) => sum + sample.length, 0))
  // Boxes have the same size whatever the offsets, so a first draft shows where the data will begin.
  const draft = head(sequence, tracks, [0, 0])
  const start = ftyp.length + draft.length + 8
  const offsets = tracks.map((_, index) => start + (index === 0 ? 0 : sizes[0]!))
  const data = tracks.flatMap(track => track.samples)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return [ftyp, head(sequence, tracks, offsets), u32(total + 8), text('mdat'), ...data]
}

const head = (sequence: Sequence, tracks: Coded[], offsets: number[]) =>
  Buffer.concat([stillImage(sequence, tracks, offsets), movie(sequence, tracks, offsets)])

const configuration = (track: Coded) => ({
  type: 'av1C',
  body: configurationOf(track.samples[0]!, track.sampling),
})

/** sRGB primaries and transfer. */
const colours = (track: Coded) => nclx(1, 13, track.matrix)

const boxOf = ({ type, body }: { type: string; body: Buffer }) => box(type, body)

function stillImage({ width, height }: Sequence, tracks: Coded[], offsets: number[]): Buffer {
  const items = tracks.map((track, index): NewItem => {
    const isAlpha = index > 0
    return {
      type: 'av01',
      isHidden: false,
      properties: [
        ispe(width, height),
        isAlpha ? pixi(8) : pixi(8, 8, 8),
        configuration(track),
        isAlpha ? auxC(ALPHA) : colours(track),
      ],
      references: [],
      offset: offsets[index]!,
      length: track.samples[0]!.length,
    }
  })
  const [color, alpha] = items
  if (color) alpha?.references.push(['auxl', [color]])
  return meta(items, 0)
}

function movie(sequence: Sequence, tracks: Coded[], offsets: number[]): Buffer {
  const once = BigInt(sequence.delays.reduce((sum, delay) => sum + delay, 0))
  const duration = sequence.loop === 0 ? FOREVER : once * BigInt(sequence.loop)
  const mvhd = fullBox(
    'mvhd',
    1,
    0,
    u64(0n, 0n),
    u32(MILLISECONDS),
    u64(duration),
    u32(0x10000),
    u16(0x100, 0),
    u32(0, 0),
    UNITY,
    u32(0, 0, 0, 0, 0, 0),
    u32(tracks.length + 1),
  )
  return box(
    'moov',
    mvhd,
    ...tracks.map((track, index) => trackBox(sequence, track, index, offsets[index]!, once, duration)),
  )
}

function trackBox(
  { width, height, delays, loop }: Sequence,
  track: Coded,
  index: number,
  offset: number,
  once: bigint,
  duration: bigint,
): Buffer {
  const isAlpha = index > 0
  const tkhd = fullBox(
    'tkhd',
    1,
    1,
    u64(0n, 0n),
    u32(index + 1, 0),
    u64(duration),
    u32(0, 0),
    u16(0, 0, 0, 0),
    UNITY,
    u32(width * 0x10000, height * 0x10000),
  )
  // Flag 1 repeats the edit until the track's duration is over.
  const elst = fullBox('elst', 1, loop === 1 ? 0 : 1, u32(1), u64(once, 0n), u16(1, 0))
  const sampleEntry = box(
    'av01',
    u16(0, 0, 0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xffff),
    boxOf(configuration(track)),
    isAlpha ? fullBox('auxi', 0, 0, text(ALPHA)) : boxOf(colours(track)),
    // Frames refer to other frames, which may use intra prediction; up to 15 references.
    fullBox('ccst', 0, 0, u32(0x7c000000)),
  )
  const keyframes = track.samples.flatMap((sample, nth) => (sequenceHeader(sample) ? [nth + 1] : []))
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry),
    fullBox('stts', 0, 0, ...runs(delays)),
    fullBox('stsc', 0, 0, u32(1, 1, track.samples.length, 1)),
    fullBox('stsz', 0, 0, u32(0, track.samples.length, ...track.samples.map(sample => sample.length))),
    fullBox('stco', 0, 0, u32(1, offset)),
    fullBox('stss', 0, 0, u32(keyframes.length, ...keyframes)),
  )
  const minf = box(
    'minf',
    fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)),
    box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
    stbl,
  )
  return box(
    'trak',
    tkhd,
    box('edts', elst),
    ...(isAlpha ? [box('tref', box('auxl', u32(1)))] : []),
    box(
      'mdia',
      fullBox('mdhd', 1, 0, u64(0n, 0n), u32(MILLISECONDS), u64(once), u16(0x55c4, 0)),
      handler(isAlpha ? 'auxv' : 'pict'),
      minf,
    ),
  )
}

/** Run lengths of equal delays for `stts`: the number of runs, then count and delay of each. */
function runs(delays: number[]): Buffer[] {
  const entries: [number, number][] = []
  for (const delay of delays) {
    const last = entries.at(-1)
    if (last?.[1] === delay) last[0]++
    else entries.push([1, delay])
  }
  return [u32(entries.length), ...entries.map(entry => u32(...entry))]
}
