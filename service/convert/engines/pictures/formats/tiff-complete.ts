/** Adds tags that the writer of a TIFF file omitted. */
import { TiffWriter } from './tiff.ts'

/** A tag that readers require, and its values (at most two of 16 bits). */
export interface MissingTag {
  tag: number
  values: number[]
}

const PHOTOMETRIC = 262
const EXTRA_SAMPLES = 338

/** Values of PhotometricInterpretation. */
const WHITE_IS_ZERO = 0
const BLACK_IS_ZERO = 1
const RGB = 2

/** Samples of a pixel that are colour, by PhotometricInterpretation. */
const COLOURS = new Map([
  [WHITE_IS_ZERO, 1],
  [BLACK_IS_ZERO, 1],
  [RGB, 3],
  // A palette, CMYK, YCbCr, and CIELAB.
  [3, 1],
  [5, 4],
  [6, 3],
  [8, 3],
])

/** Compressions of fax, where white is zero unless the file says otherwise. */
const FAX = new Set([2, 3, 4])

/** Values of ExtraSamples: anything, and transparency that is not multiplied into the colours. */
const UNSPECIFIED = 0
const UNASSOCIATED_ALPHA = 2

/**
 * What a directory lacks. Without PhotometricInterpretation, up to two samples are grey and more are RGB, as in
 * libtiff; the first sample beyond the colours is transparency, for which ExtraSamples is required (TIFF 6.0, 18).
 */
export function missingTags(tags: {
  photometric: number | undefined
  samples: number
  extraSamples: number
  compression: number
}): MissingTag[] {
  const { samples, compression } = tags
  const missing: MissingTag[] = []
  const assumed = samples > 2 ? RGB : FAX.has(compression) ? WHITE_IS_ZERO : BLACK_IS_ZERO
  const photometric = tags.photometric ?? assumed
  if (tags.photometric === undefined) missing.push({ tag: PHOTOMETRIC, values: [photometric] })
  const extra = samples - (COLOURS.get(photometric) ?? samples)
  if (tags.extraSamples === 0 && (extra === 1 || extra === 2))
    missing.push({ tag: EXTRA_SAMPLES, values: [UNASSOCIATED_ALPHA, UNSPECIFIED].slice(0, extra) })
  return missing
}

/** A copy of a TIFF file (not BigTIFF) whose only directory is the one at `offset`, with these tags added. */
export function withTags(file: Buffer, offset: number, added: readonly MissingTag[]): Buffer {
  const little = file[0] === 0x49
  const writer = new TiffWriter(little)
  const short = (bytes: Buffer, at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const entries = Array.from({ length: short(file, offset) }, (_, index) => {
    const at = offset + 2 + 12 * index
    return file.subarray(at, at + 12)
  })
  for (const { tag, values } of added) {
    const entry = Buffer.alloc(12)
    Buffer.concat([
      writer.numbers(2, tag, 3),
      writer.numbers(4, values.length),
      writer.numbers(2, ...values),
    ]).copy(entry)
    entries.push(entry)
  }
  entries.sort((a, b) => short(a, 0) - short(b, 0))
  const padding = Buffer.alloc(file.length & 1)
  const copy = Buffer.concat([
    file,
    padding,
    writer.numbers(2, entries.length),
    ...entries,
    writer.numbers(4, 0),
  ])
  writer.numbers(4, file.length + padding.length).copy(copy, 4)
  return copy
}
