import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/** Limits the pixels that are decoded and painted, so that a small file cannot take hours. */
export class Budget {
  private left: number

  constructor(pixels: number) {
    this.left = pixels
  }

  spend(pixels: number): void {
    this.left -= Math.max(0, pixels)
    if (this.left < 0) {
      throw new JobFailure('jobs.too_large', message('pict.too_much_work'))
    }
  }
}
