/** Drawing operators of glyph programs: Adobe Technical Note 5177, "The Type 2 Charstring Format", sections 4.1 and 4.2. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { damagedFont } from '../../sfnt/data.ts'
import { checkPoints } from '../budget.ts'
import type { CubicContour } from '../contours.ts'
import { escapedOperators, operators } from './charstring-operators.ts'
import type { OperandStack } from './operand-stack.ts'

/** The outline drawn by a program; every step is relative to the current point. */
export class Path {
  readonly contours: CubicContour[] = []
  private x = 0
  private y = 0
  private points = 0
  private current: CubicContour | undefined

  move(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
    this.current = undefined
  }

  /** Copies contours from another glyph, shifted. @throws JobFailure too_large */
  include(contours: readonly CubicContour[], dx: number, dy: number): void {
    for (const { segments, points } of contours) {
      this.points += points.length / 2
      checkPoints(this.points)
      this.contours.push({ segments, points: points.map((value, i) => value + (i % 2 ? dy : dx)) })
    }
  }

  /** Runs a one-byte operator with all numbers on the stack. @throws JobFailure corrupt_input, too_large */
  draw(operator: number, { values: s, count }: OperandStack): void {
    let i = 0
    const curves = (end: number) => {
      for (; i + 6 <= end; i += 6) this.curve(s[i]!, s[i + 1]!, s[i + 2]!, s[i + 3]!, s[i + 4]!, s[i + 5]!)
    }
    const lines = (end: number) => {
      for (; i + 2 <= end; i += 2) this.line(s[i]!, s[i + 1]!)
    }
    switch (operator) {
      case operators.rlineto:
        lines(count)
        return
      case operators.hlineto:
      case operators.vlineto:
        for (let horizontal = operator === operators.hlineto; i < count; i++, horizontal = !horizontal) {
          this.line(horizontal ? s[i]! : 0, horizontal ? 0 : s[i]!)
        }
        return
      case operators.rrcurveto:
        curves(count)
        return
      case operators.rcurveline:
        curves(count - 2)
        lines(count)
        return
      case operators.rlinecurve:
        lines(count - 6)
        curves(count)
        return
      case operators.vvcurveto: {
        let first = count & 1 ? s[i++]! : 0
        for (; i + 4 <= count; i += 4, first = 0) this.curve(first, s[i]!, s[i + 1]!, s[i + 2]!, 0, s[i + 3]!)
        return
      }
      case operators.hhcurveto: {
        let first = count & 1 ? s[i++]! : 0
        for (; i + 4 <= count; i += 4, first = 0) this.curve(s[i]!, first, s[i + 1]!, s[i + 2]!, s[i + 3]!, 0)
        return
      }
      case operators.vhcurveto:
      case operators.hvcurveto:
        for (
          let horizontal = operator === operators.hvcurveto;
          i + 4 <= count;
          i += 4, horizontal = !horizontal
        ) {
          const last = count - i === 5 ? s[i + 4]! : 0
          if (horizontal) this.curve(s[i]!, 0, s[i + 1]!, s[i + 2]!, last, s[i + 3]!)
          else this.curve(0, s[i]!, s[i + 1]!, s[i + 2]!, s[i + 3]!, last)
        }
        return
      default:
        throw damagedFont()
    }
  }

  /**
   * Runs an operator of two bytes, the first of which is `escape`: two curves that are nearly a line.
   * @throws JobFailure unsupported_input for an arithmetic one
   */
  drawFlex(operator: number, { values: s }: OperandStack): void {
    switch (operator) {
      case escapedOperators.hflex:
        this.curve(s[0]!, 0, s[1]!, s[2]!, s[3]!, 0)
        this.curve(s[4]!, 0, s[5]!, -s[2]!, s[6]!, 0)
        return
      case escapedOperators.flex:
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, s[5]!)
        this.curve(s[6]!, s[7]!, s[8]!, s[9]!, s[10]!, s[11]!)
        return
      case escapedOperators.hflex1:
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, 0)
        this.curve(s[5]!, 0, s[6]!, s[7]!, s[8]!, -(s[1]! + s[3]! + s[7]!))
        return
      case escapedOperators.flex1: {
        const dx = s[0]! + s[2]! + s[4]! + s[6]! + s[8]!
        const dy = s[1]! + s[3]! + s[5]! + s[7]! + s[9]!
        const flat = Math.abs(dx) > Math.abs(dy)
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, s[5]!)
        this.curve(s[6]!, s[7]!, s[8]!, s[9]!, flat ? s[10]! : -dx, flat ? -dy : s[10]!)
        return
      }
      case escapedOperators.dotsection:
        return
      default:
        throw new JobFailure('jobs.unsupported_input')
    }
  }

  /** The current contour; it begins at the target of the last move, or at the end of the last contour. */
  private contour(points: number): CubicContour {
    if (!this.current) {
      this.current = { segments: [], points: [this.x, this.y] }
      this.contours.push(this.current)
    }
    this.points += points
    checkPoints(this.points)
    this.current.segments.push(points)
    return this.current
  }

  private line(dx: number, dy: number): void {
    const { points } = this.contour(1)
    this.x += dx
    this.y += dy
    points.push(this.x, this.y)
  }

  private curve(dx1: number, dy1: number, dx2: number, dy2: number, dx3: number, dy3: number): void {
    const { points } = this.contour(3)
    const [x1, y1] = [this.x + dx1, this.y + dy1]
    const [x2, y2] = [x1 + dx2, y1 + dy2]
    this.x = x2 + dx3
    this.y = y2 + dy3
    points.push(x1, y1, x2, y2, this.x, this.y)
  }
}
