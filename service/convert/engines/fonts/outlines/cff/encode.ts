/** Writes contours as programs: Adobe Technical Note 5177, "The Type 2 Charstring Format". */
import type { CubicContour } from '../contours.ts'
import { writeNumber } from './charstring-numbers.ts'
import { operators } from './charstring-operators.ts'

/** Maximum number of operands before an operator; the format allows 48. */
const OPERAND_LIMIT = 47

/** A contour as the program after the move to its start, which is the same wherever the contour is. */
export interface EncodedContour {
  start: [number, number]
  /** Where the program ends. */
  end: [number, number]
  program: Buffer
}

/**
 * @param grid fraction of a unit to which coordinates are rounded
 * @returns undefined for a contour without extent
 */
export function encodeContour({ segments, points }: CubicContour, grid: number): EncodedContour | undefined {
  const rounded = points.map(value => Math.round(value / grid) * grid)
  const [startX, startY] = [rounded[0]!, rounded[1]!]
  let [x, y] = [startX, startY]
  const run = new OperatorRun()
  for (let at = 2, i = 0; i < segments.length; i++) {
    if (segments[i] === 1) {
      const [nextX, nextY] = [rounded[at]!, rounded[at + 1]!]
      at += 2
      // The line back to the start is implied.
      const closes = i === segments.length - 1 && nextX === startX && nextY === startY
      if (closes || (nextX === x && nextY === y)) continue
      run.line(nextX - x, nextY - y)
      x = nextX
      y = nextY
    } else {
      const [x1, y1, x2, y2, x3, y3] = rounded.slice(at, at + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      at += 6
      run.curve([x1 - x, y1 - y, x2 - x1, y2 - y1, x3 - x2, y3 - y2])
      x = x3
      y = y3
    }
  }
  const program = run.take()
  return program.length === 0 ? undefined : { start: [startX, startY], end: [x, y], program }
}

/** Combines similar segments under one operator. */
class OperatorRun {
  private readonly bytes: number[] = []
  private operator = 0
  private operands: number[] = []

  line(dx: number, dy: number): void {
    if (dx !== 0 && dy !== 0) {
      this.add(operators.rlineto, [dx, dy], this.operator === operators.rlineto)
      return
    }
    const wanted = dy === 0 ? operators.hlineto : operators.vlineto
    const other = dy === 0 ? operators.vlineto : operators.hlineto
    // Horizontal and vertical lines alternate.
    const expected = this.operands.length % 2 === 0 ? wanted : other
    this.add(wanted, [dy === 0 ? dx : dy], this.operator === expected)
  }

  curve(c: [number, number, number, number, number, number]): void {
    const [dx1, dy1, dx2, dy2, dx3, dy3] = c
    const { hvcurveto, vhcurveto } = operators
    const isEven = (this.operands.length / 4) % 2 === 0
    if (dy1 === 0 && dx3 === 0) {
      const expected = isEven ? hvcurveto : vhcurveto
      this.add(hvcurveto, [dx1, dx2, dy2, dy3], this.operator === expected)
    } else if (dx1 === 0 && dy3 === 0) {
      const expected = isEven ? vhcurveto : hvcurveto
      this.add(vhcurveto, [dy1, dx2, dy2, dx3], this.operator === expected)
    } else this.add(operators.rrcurveto, c, this.operator === operators.rrcurveto)
  }

  take(): Buffer {
    this.flush()
    return Buffer.from(this.bytes)
  }

  private add(operator: number, operands: readonly number[], continues: boolean): void {
    if (!continues || this.operands.length + operands.length > OPERAND_LIMIT) {
      this.flush()
      this.operator = operator
    }
    this.operands.push(...operands)
  }

  private flush(): void {
    for (const operand of this.operands) writeNumber(this.bytes, operand)
    if (this.operator) this.bytes.push(this.operator)
    this.operator = 0
    this.operands = []
  }
}
