import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'

/** Counts the pixels a picture makes us decode and paint, so that a small file cannot keep us busy for hours. */
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
