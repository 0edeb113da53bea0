/** The part of a picture, or of all pictures of a video, that is kept. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { Size } from '../../engines/common/rectangle.ts'
import type { Area } from '../../engines/pictures/moves.ts'
import type { Edits } from './edit-options.ts'

type Crop = Edits['crop']

/** Share of the way from the left or upper edge at which a part stays, by the words of ImageMagick and sharp. */
export const shareOf = (gravity: string): { x: number; y: number } => ({
  x: /west/.test(gravity) ? 0 : /east/.test(gravity) ? 1 : 0.5,
  y: /north/.test(gravity) ? 0 : /south/.test(gravity) ? 1 : 0.5,
})

/** The largest part of some proportions within an area. */
export function shaped(area: Size, aspect: number, gravity: string): Area {
  const width = Math.max(1, Math.min(area.width, Math.round(area.height * aspect)))
  const height = Math.max(1, Math.min(area.height, Math.round(area.width / aspect)))
  const { x, y } = shareOf(gravity)
  return {
    left: Math.round((area.width - width) * x),
    top: Math.round((area.height - height) * y),
    width,
    height,
  }
}

/**
 * The part of the picture to cut out, with a warning if less is there than was asked for.
 * @param pixelAspect width of a pixel in its heights
 * @throws JobFailure unsupported_input if it lies outside
 */
export function warnedArea(
  { left = 0, top = 0, aspect, gravity, ...given }: Crop,
  { width, height }: Size,
  { warn }: Pick<Task, 'warn'>,
  pixelAspect = 1,
): Area {
  const right = Math.min(width, left + (given.width ?? width - left))
  const bottom = Math.min(height, top + (given.height ?? height - top))
  if (right <= left || bottom <= top) {
    throw new JobFailure('jobs.unsupported_input', message('picture.crop_outside', { width, height }))
  }
  let area = { left, top, width: right - left, height: bottom - top }
  if (aspect !== 'free') {
    const [across = 1, down = 1] = aspect.split(':').map(Number)
    const part = shaped(area, across / down / pixelAspect, gravity)
    area = { ...part, left: left + part.left, top: top + part.top }
  }
  if (left + (given.width ?? 0) > width || top + (given.height ?? 0) > height)
    warn(message('picture.crop_cut', { width: area.width, height: area.height }))
  return area
}
