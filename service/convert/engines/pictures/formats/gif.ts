/** Blocks of GIF files (GIF89a specification). */
import type { Rectangle } from '../../common/rectangle.ts'

const IMAGE = 0x2c
const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const TRAILER = 0x3b

/** Size of the colour table that a packed field announces. */
const tableBytes = (packed = 0) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)

export interface GifFrame extends Rectangle {
  /** Milliseconds. */
  delay: number
  /** What happens to the frame's area before the next one. */
  dispose: 'keep' | 'clear' | 'restore'
  /** Whether one of its colours is transparent. */
  transparent: boolean
  /** The frame as a separate GIF file of the frame's size. */
  file(): Buffer
}

export interface Gif {
  /** Size of the canvas. */
  width: number
  height: number
  frames: GifFrame[]
  /**
   * Whether it contains all its blocks. Decoders silently drop the frames after the point where a file is truncated.
   * Only the trailer may be missing.
   */
  whole: boolean
}

/** Reads the blocks of a GIF file up to its end or to where it is truncated. */
export function readGif(file: Buffer): Gif {
  const frames: GifFrame[] = []
  const gif = (at: number, whole: boolean): Gif => ({
    width: file.length < 10 ? 0 : file.readUInt16LE(6),
    height: file.length < 10 ? 0 : file.readUInt16LE(8),
    frames,
    whole: whole && at <= file.length,
  })
  let at = 13 + tableBytes(file[10])
  const header = file.subarray(0, at)
  let control: Buffer | undefined
  while (at < file.length && file[at] !== TRAILER) {
    const start = at
    const kind = file[at]
    const label = file[at + 1]
    if (kind === EXTENSION) at += 2
    // An image has a position, a colour table, and the code width before its data.
    else if (kind === IMAGE) at += 11 + tableBytes(file[at + 9])
    else return gif(at, false)
    for (let size = file[at]; size !== 0; size = file[at]) {
      if (size === undefined) return gif(at, false)
      at += 1 + size
    }
    at++
    if (kind === IMAGE) {
      if (start + 10 <= file.length) frames.push(frameOf(file.subarray(start, at), header, control))
      control = undefined
    } else if (label === GRAPHIC_CONTROL && at - start >= 8) control = file.subarray(start, at)
  }
  return gif(at, true)
}

function frameOf(image: Buffer, header: Buffer, control: Buffer | undefined): GifFrame {
  const disposal = control ? (control[3]! >> 2) & 7 : 0
  return {
    x: image.readUInt16LE(1),
    y: image.readUInt16LE(3),
    width: image.readUInt16LE(5),
    height: image.readUInt16LE(7),
    delay: control ? control.readUInt16LE(4) * 10 : 0,
    dispose: disposal === 2 ? 'clear' : disposal === 3 ? 'restore' : 'keep',
    transparent: control ? (control[3]! & 1) === 1 : false,
    file() {
      const own = Buffer.from(header)
      image.copy(own, 6, 5, 9)
      const moved = Buffer.from(image)
      moved.fill(0, 1, 5)
      return Buffer.concat([own, ...(control ? [control] : []), moved, Buffer.from([TRAILER])])
    },
  }
}

/** Whether a GIF file contains all its blocks. */
export const isWholeGif = (file: Buffer): boolean => readGif(file).whole
