import { setImmediate } from 'node:timers/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { checkPixels, PIXEL_LIMIT } from '../../common/limits.ts'
import { decodeImage } from './codecs.ts'
import { heightOf, isEmpty, widthOf } from './geometry.ts'
import type { PictHeader } from './header.ts'
import type { Instruction } from './instructions.ts'
import { Painter } from './painter.ts'
import type { QuickTimeImage } from './quicktime.ts'

/** Maximum pixels for vector parts; more require images of that size. */
const VECTOR_PIXELS = 64_000_000
/** Maximum number of pixels decoded and painted in total, so that a small file cannot take hours. */
const MAX_PAINTED_PIXELS = 60_000_000_000

/** Pixels per coordinate unit of the picture, such that images keep their pixels and vector parts are smooth. */
function scaleOf({ frame, unitsPerPoint }: PictHeader, instructions: readonly Instruction[]): number {
  const images = instructions.map(imageOf).filter(image => image !== undefined)
  const finest = Math.max(1, ...images.map(({ scale }) => Math.min(scale, MAX_IMAGE_SCALE)))
  // Vector parts get at least two pixels per point; whole numbers keep edges and patterns sharp.
  const wanted = hasVectors(instructions) ? Math.ceil(Math.max(finest, 2 / unitsPerPoint)) : finest
  // A damaged or forged frame may be large without containing anything.
  const pixels = images.reduce((sum, image) => sum + image.pixels, 0)
  const most = Math.sqrt(
    Math.min(PIXEL_LIMIT, Math.max(VECTOR_PIXELS, pixels * 4)) / (widthOf(frame) * heightOf(frame)),
  )
  if (wanted <= most) return wanted
  return most >= 1 ? Math.floor(most) : most
}

const MAX_IMAGE_SCALE = 8

/** Number of pixels of an image, in total and per coordinate unit of the picture. */
function imageOf(instruction: Instruction): { pixels: number; scale: number } | undefined {
  if (instruction.kind !== 'bits' && instruction.kind !== 'quickTime') return undefined
  const { source, destination } = instruction.kind === 'bits' ? instruction.copy : instruction.image
  if (isEmpty(source) || isEmpty(destination)) return undefined
  const scale = Math.max(widthOf(source) / widthOf(destination), heightOf(source) / heightOf(destination))
  return { pixels: widthOf(source) * heightOf(source), scale }
}

/** Whether there is anything except images and the rectangles below them. */
function hasVectors(instructions: readonly Instruction[]): boolean {
  const images = instructions.some(({ kind }) => kind === 'bits' || kind === 'quickTime')
  return instructions.some(
    instruction =>
      instruction.kind === 'text' ||
      instruction.kind === 'line' ||
      (instruction.kind === 'shape' &&
        (!images || instruction.verb === 'frame' || instruction.shape.kind !== 'rect')),
  )
}

/**
 * Draws a picture on white.
 * @returns the painter, whose canvas has opaque RGBA pixels; the caller must close it
 * @throws JobFailure too_large, unsupported_input, corrupt_input
 */
export async function render(
  header: PictHeader,
  instructions: readonly Instruction[],
  warn: (warning: Message) => void,
): Promise<Painter> {
  checkPixels(widthOf(header.frame), heightOf(header.frame))
  const painter = new Painter(header.frame, scaleOf(header, instructions), MAX_PAINTED_PIXELS)
  try {
    await drawAll(painter, instructions, warn)
    return painter
  } catch (error) {
    painter.close()
    throw error
  }
}

async function drawAll(
  painter: Painter,
  instructions: readonly Instruction[],
  warn: (warning: Message) => void,
): Promise<void> {
  const failures: JobFailure[] = []
  let drawn = 0
  for (const [index, instruction] of instructions.entries()) {
    // The canvas only frees memory between turns of the event loop.
    if (instruction.kind === 'bits' || index % 1000 === 999) await setImmediate()
    if (instruction.kind === 'port') painter.set(instruction.set)
    else if (instruction.kind === 'origin') painter.moveOrigin(instruction.dx, instruction.dy)
    else if (instruction.kind === 'quickTime') {
      const failure = await drawQuickTime(painter, instruction.image)
      if (failure) failures.push(failure)
      else drawn++
    } else {
      draw(painter, instruction)
      if (!(instruction.kind === 'shape' && instruction.verb === 'erase')) drawn++
    }
  }
  const [failure] = failures
  if (!failure) return
  if (drawn === 0) throw failure
  warn(message('pict.images_left_out', { images: failures.length }))
}

type Painting = Extract<Instruction, { kind: 'shape' | 'line' | 'text' | 'bits' }>

function draw(painter: Painter, instruction: Painting): void {
  if (instruction.kind === 'shape') painter.drawShape(instruction.verb, instruction.shape)
  else if (instruction.kind === 'line') painter.drawLine(instruction.from, instruction.to)
  else if (instruction.kind === 'text') painter.drawText(instruction.at, instruction.bytes)
  else painter.drawBits(instruction.copy)
}

/** Draws a QuickTime image, or returns why it cannot be read: the rest of the picture may still be useful. */
async function drawQuickTime(painter: Painter, image: QuickTimeImage): Promise<JobFailure | undefined> {
  try {
    painter.drawImage(await decodeImage(image), image)
    return undefined
  } catch (error) {
    if (error instanceof JobFailure && error.code !== 'jobs.too_large') return error
    throw error
  }
}
