/**
 * AVIF pictures whose rotation, mirroring and cropping are stated for their colours alone, as libavif wrote them up to
 * version 1.3. They apply to the transparency too, but libheif would change only the colours.
 */
import { readItems } from '../heif/items.ts'
import { alphaOf } from '../heif/picture.ts'
import { type Crop, cropOf, orientationOf, sizeOf, transformsOf } from '../heif/properties.ts'

export interface Untransformed {
  /** A copy of the file in which nothing is rotated, mirrored or cropped. */
  file: Buffer
  /** What is left to be done, in this order. */
  crop: Crop | undefined
  orientation: number
}

/** Undefined if the transparency is transformed as stated, if there is none, or if the file cannot be read. */
export function untransformed(file: Uint8Array): Untransformed | undefined {
  try {
    const items = readItems(file)
    const { primary } = items
    const alpha = alphaOf(items)
    const transforms = transformsOf(primary)
    if (!alpha || transforms.length === 0 || transformsOf(alpha).length > 0) return undefined
    // Cropping comes first (MIAF, 7.3.6.7).
    const crops = transforms.map(({ kind }) => kind === 'crop')
    if (crops.lastIndexOf(true) > 0) return undefined
    const [first] = transforms
    const size = sizeOf(primary)
    const crop = first?.kind === 'crop' ? cropOf(first.fractions, size) : undefined
    const copy = Buffer.from(file)
    for (const { type, body } of primary.properties) {
      const at = body.byteOffset - file.byteOffset
      if (type === 'irot' || type === 'imir') {
        // A rotation by nothing.
        copy.write('irot', at - 4, 'latin1')
        copy[at] = 0
      } else if (type === 'clap') {
        const whole = [size.width, 1, size.height, 1, 0, 1, 0, 1]
        for (const [index, number] of whole.entries()) copy.writeInt32BE(number, at + 4 * index)
      }
    }
    return { file: copy, crop, orientation: orientationOf(transforms) }
  } catch {
    return undefined
  }
}
