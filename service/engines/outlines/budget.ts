import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'

/** Steps that reading all outlines of a font may take; the largest fonts there are take a tenth. */
const STEP_LIMIT = 500_000_000
/** Points of one glyph, as `glyf` can number them. */
const POINT_LIMIT = 65_535

/** Bounds what a font may ask for: subroutines and glyphs made of others can make a small file a huge drawing. */
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
