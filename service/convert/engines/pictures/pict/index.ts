import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { type Pixels, withoutAlpha } from '../pixels.ts'
import { readHeader } from './header.ts'
import { readInstructions } from './opcodes.ts'
import { render } from './render.ts'

/**
 * Draws a QuickDraw picture (PICT versions 1, 2 and extended 2). Images keep their own resolution; vector parts get at
 * least two pixels per point. Uncovered areas are white.
 * @param warn called for images inside that had to be left out, and for a truncated picture
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function readPict(
  bytes: Uint8Array,
  warn: (warning: Message) => void = () => {},
): Promise<Pixels> {
  const header = readHeader(bytes)
  const { instructions, complete, failure } = readInstructions(header)
  if (!instructions.some(({ kind }) => !['port', 'origin'].includes(kind))) {
    throw failure ?? new JobFailure('jobs.corrupt_input', message('picture.empty'))
  }
  const endsEarly = !failure || failure.reason?.key === 'picture.ends_early'
  if (!complete) warn(message(endsEarly ? 'pict.breaks_off' : 'picture.damaged'))
  const painter = await render(header, instructions, warn)
  const { width, height } = painter.canvas
  // The canvas is fully opaque; formats become smaller without alpha.
  const data = withoutAlpha(painter.canvas.data())
  painter.close()
  return { data, width, height, channels: 3 }
}
