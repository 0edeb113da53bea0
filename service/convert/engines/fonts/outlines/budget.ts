import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/** Maximum number of steps for reading all outlines of a font; the largest existing fonts need a tenth. */
const STEP_LIMIT = 500_000_000
/** Maximum number of points in a glyph that `glyf` can number. */
const POINT_LIMIT = 65_535

/**
 * Limits the work that a font can cause: with subroutines and composite glyphs a small file can describe a huge
 * outline.
 */
export class Budget {
  private steps = 0

  /** @throws JobFailure too_large */
  spend(steps: number): void {
    this.steps += steps
    if (this.steps > STEP_LIMIT) throw tooComplex()
  }
}

/** @throws JobFailure too_large */
export function checkPoints(count: number): void {
  if (count > POINT_LIMIT) throw tooComplex()
}

const tooComplex = () => new JobFailure('jobs.too_large', message('font.too_complex'))
