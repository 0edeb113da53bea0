import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { checkPixels } from '../../common/limits.ts'

export type ColorMode = 'bitmap' | 'grayscale' | 'indexed' | 'rgb' | 'cmyk' | 'duotone' | 'lab'

const modes: Record<number, ColorMode> = {
  0: 'bitmap',
  1: 'grayscale',
  2: 'indexed',
  3: 'rgb',
  4: 'cmyk',
  8: 'duotone',
  9: 'lab',
}

export interface Header {
  /** A large document (PSB): longer length fields, sides up to 300,000. */
  large: boolean
  channels: number
  width: number
  height: number
  depth: 1 | 8 | 16 | 32
  mode: ColorMode
}

/** What Photoshop itself writes: by the specification there is one less. */
const CHANNEL_LIMIT = 57

/** Reads the file header (26 bytes) and checks it against the format's own limits and ours. */
export function readHeader(reader: ByteReader): Header {
  if (reader.remaining < 26 || reader.latin1(4) !== '8BPS') {
    throw new JobFailure('jobs.corrupt_input', message('psd.not_a_document'))
  }
  const version = reader.u16()
  reader.skip(6)
  const channels = reader.u16()
  const height = reader.u32()
  const width = reader.u32()
  const depth = reader.u16()
  const mode = modes[reader.u16()]
  if (version !== 1 && version !== 2) {
    throw new JobFailure('jobs.unsupported_input', message('psd.unsupported_version', { version }))
  }
  if (
    channels < 1 ||
    channels > CHANNEL_LIMIT ||
    width < 1 ||
    height < 1 ||
    width > 300_000 ||
    height > 300_000
  ) {
    throw new JobFailure('jobs.corrupt_input', message('psd.damaged_header'))
  }
  checkPixels(width, height)
  if (!mode || !(depth === 1 || depth === 8 || depth === 16 || depth === 32)) {
    throw new JobFailure('jobs.unsupported_input', message('psd.unsupported_mode'))
  }
  if ((mode === 'bitmap') !== (depth === 1) || (mode === 'indexed' && depth !== 8)) {
    throw new JobFailure('jobs.corrupt_input', message('psd.contradicting_header'))
  }
  return { large: version === 2, channels, width, height, depth, mode }
}

/** Number of channels with the colour itself; those after them are transparency, saved selections and spot inks. */
export function colorChannels({ mode, channels }: Pick<Header, 'mode' | 'channels'>): number {
  const needed = { bitmap: 1, grayscale: 1, duotone: 1, indexed: 1, rgb: 3, lab: 3, cmyk: 4 }
  if (channels < needed[mode]) {
    throw new JobFailure('jobs.corrupt_input', message('psd.missing_channels'))
  }
  return needed[mode]
}
