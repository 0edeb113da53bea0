import { profileSpace } from '../formats/icc.ts'
import { labToSrgb } from '../formats/lab.ts'
import type { Pixels } from '../pixels.ts'
import type { PsdDocument } from './document.ts'
import { maxOf, type Samples } from './samples.ts'

/** Interleaved samples as stored in the document: `colors` channels of its mode, then alpha if there is any. */
export interface Raster {
  data: Samples
  colors: number
  alpha: boolean
}

/** Converts stored samples of any colour mode to generally usable pixels, with profile and metadata. */
export function toPixels(document: PsdDocument, raster: Raster): Pixels {
  const { header, resources } = document
  const { width, height, mode } = header
  const { exif, xmp } = resources
  const channels = (raster.colors + (raster.alpha ? 1 : 0)) as Pixels['channels']
  const pixels = { data: raster.data, width, height, channels, ...(exif && { exif }), ...(xmp && { xmp }) }
  switch (mode) {
    case 'rgb':
    case 'grayscale':
    case 'bitmap':
      return { ...pixels, ...profile(document, mode === 'rgb' ? 'RGB ' : 'GRAY') }
    case 'duotone':
      // How its inks are stored is not documented; by the specification, other programs show the grey picture.
      return pixels
    case 'cmyk':
      // Stored inverted: 0 is full ink.
      invert(raster)
      return { ...pixels, space: 'cmyk', ...profile(document, 'CMYK') }
    case 'indexed':
      return { ...pixels, ...fromPalette(raster, document.palette, resources.transparentIndex) }
    case 'lab':
      // Under D50, as Photoshop stores it.
      labToSrgb(raster.data, channels)
      return pixels
  }
}

/** Its profile; that of linear light no longer holds. */
function profile({ header, resources: { icc } }: PsdDocument, space: string): Pick<Pixels, 'icc'> {
  return icc && header.depth !== 32 && profileSpace(icc) === space ? { icc } : {}
}

function invert({ data, colors, alpha }: Raster): void {
  const max = maxOf(data)
  if (!alpha) for (let i = 0; i < data.length; i++) data[i] = max - data[i]!
  else
    for (let i = 0; i < data.length; i += colors + 1) {
      for (let c = 0; c < colors; c++) data[i + c] = max - data[i + c]!
    }
}

function fromPalette({ data }: Raster, palette: Uint8Array, transparent?: number) {
  const count = Math.floor(palette.length / 3)
  const channels = transparent === undefined ? 3 : 4
  const out = new Uint8Array(data.length * channels)
  for (let i = 0, to = 0; i < data.length; i++, to += channels) {
    const index = data[i]!
    if (index < count) {
      out[to] = palette[index]!
      out[to + 1] = palette[count + index]!
      out[to + 2] = palette[2 * count + index]!
    }
    if (channels === 4) out[to + 3] = index === transparent ? 0 : 255
  }
  return { data: out, channels } as const
}
