import { JobFailure } from '../../errors.ts'
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from './failure.ts'
import { type Metadata, PIXEL_LIMIT, type Sharp, type SharpOptions, sharp } from './load.ts'
import { wrapTiff } from './tiff.ts'

/** A file sharp decodes by itself. SVG goes in as bytes only: from a path it could read its neighbours. */
export interface Encoded {
  encoded: Uint8Array | string
  /** Page or frame, from 0. */
  page?: number
  /** Pixels per inch a drawing is rendered with. */
  density?: number
}

/** A picture ready to be processed: what is known of it, upright, and how to start a pipeline on it. */
export interface Picture {
  width: number
  height: number
  model: 'grey' | 'rgb' | 'cmyk' | 'lab'
  alpha: boolean
  /** Whether samples have more than 8 bits. */
  deep: boolean
  metadata: Metadata
  /** Starts a pipeline that yields the picture upright. Lenient ones take what a damaged file still has. */
  open(lenient?: boolean): Sharp
}

function inputOf(source: Pixels | Encoded): [Uint8Array | string, SharpOptions] {
  if ('encoded' in source) {
    const { encoded, page, density } = source
    return [encoded, { ...(page === undefined ? {} : { page }), ...(density ? { density } : {}) }]
  }
  const { data, width, height, channels, space = 'rgb' } = source
  const { icc, xmp, orientation = 1 } = source
  const plain = space === 'rgb' && channels !== 5 && !icc && !xmp && orientation === 1
  if (!plain || data instanceof Uint16Array) return [wrapTiff(source), {}]
  return [data, { raw: { width, height, channels } }]
}

const models: Record<string, Picture['model']> = {
  'b-w': 'grey',
  grey16: 'grey',
  cmyk: 'cmyk',
  lab: 'lab',
  labs: 'lab',
}

/** Reads what a picture is. Throws `JobFailure` when it is none. */
export async function openPicture(source: Pixels | Encoded): Promise<Picture> {
  const [input, options] = inputOf(source)
  const open = (lenient = false) =>
    sharp(input, {
      limitInputPixels: PIXEL_LIMIT,
      failOn: lenient ? 'error' : 'warning',
      ...options,
    }).autoOrient()
  const metadata = await open(true)
    .metadata()
    .catch(error => {
      throw sharpFailure(error)
    })
  const { width, height } = metadata.autoOrient
  if (!width || !height) throw new JobFailure('jobs.corrupt_input')
  return {
    width,
    height,
    model: models[metadata.space] ?? 'rgb',
    alpha: metadata.hasAlpha,
    deep: metadata.depth !== 'uchar',
    metadata,
    open,
  }
}
