import { createCanvas, LottieAnimation } from '@napi-rs/canvas'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { FRAME_PIXEL_LIMIT } from '../../common/limits.ts'
import type { LottieDocument } from './document.ts'

/** Draws frames of one animation at one size. */
export interface LottiePlayer {
  width: number
  height: number
  /**
   * Draws the animation at a time measured in its own frames from its in point; fractions are between two frames.
   * @returns `width * height` RGBA pixels, not premultiplied
   */
  frame(position: number): Uint8Array
}

/**
 * Opens an animation in Skottie. It is fitted into the given size with its proportions kept.
 * @param background CSS colour painted behind every frame; without one, frames keep their transparency
 * @throws JobFailure `jobs.corrupt_input` or `jobs.too_large`
 */
export function openPlayer(
  document: LottieDocument,
  width: number,
  height: number,
  background?: string,
): LottiePlayer {
  if (width * height > FRAME_PIXEL_LIMIT) {
    throw new JobFailure('jobs.too_large', message('lottie.frame_too_large'))
  }
  const animation = load(document.json)
  const context = createCanvas(width, height).getContext('2d')
  return {
    width,
    height,
    frame(position) {
      context.clearRect(0, 0, width, height)
      if (background) {
        context.fillStyle = background
        context.fillRect(0, 0, width, height)
      }
      animation.seekFrame(position)
      animation.render(context, { x: 0, y: 0, width, height })
      const { data } = context.getImageData(0, 0, width, height)
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    },
  }
}

function load(json: string): LottieAnimation {
  try {
    // Without a resource path Skottie opens no files: only embedded pictures are drawn.
    return LottieAnimation.loadFromData(json)
  } catch (cause) {
    throw new JobFailure('jobs.corrupt_input', message('lottie.damaged'), { cause })
  }
}
