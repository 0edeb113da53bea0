/** Runs the programs that draw glyphs: Adobe Technical Note 5177, "The Type 2 Charstring Format"; OpenType 1.9.1, "CFF2 CharString". */
import { damagedFont, FontCursor } from '../../sfnt/data.ts'
import { type Budget, checkPoints } from '../budget.ts'
import type { CubicContour } from '../contours.ts'
import type { CffTable, FontDict } from './read.ts'
import { standardGlyphName } from './standard-strings.ts'

/** Subroutines within subroutines; the format allows ten. */
const DEPTH_LIMIT = 16
/** Numbers that a program can put aside. */
const STORED_LIMIT = 32
/** Numbers at hand at once, as many as CFF2 allows. */
const STACK_LIMIT = 513

/** Numbers at hand: one glyph is drawn at a time, and the parts of one after each other. */
const stack = new Float64Array(STACK_LIMIT)

/** What is added to the number of a subroutine. */
export const biasOf = (count: number): number => (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768)

/** The outline of a glyph: where it is drawn, and in which regions of the design space it changes. */
export interface CharStringOutline {
  contours: CubicContour[]
  /** Number of the subtable of the variation store that its changes belong to. */
  variationIndex: number
}

/**
 * Draws a glyph.
 * @param region index of a region among those of the glyph's subtable: the outline is drawn with all of the region's changes
 * @throws JobFailure corrupt_input, too_large
 */
export function drawGlyph(cff: CffTable, glyph: number, budget: Budget, region?: number): CharStringOutline {
  const program = new CharString(cff, glyph, budget, region)
  return { contours: program.contours, variationIndex: program.variationIndex }
}

class CharString {
  readonly contours: CubicContour[] = []
  variationIndex: number
  private readonly cff: CffTable
  private readonly dict: FontDict
  private readonly budget: Budget
  private readonly region: number | undefined
  private readonly stack = stack
  private readonly stored: number[] = []
  private count = 0
  private x = 0
  private y = 0
  private points = 0
  private stems = 0
  /** Whether the first operator is yet to come, before which CFF has the glyph's width. */
  private expectsWidth: boolean
  private done = false
  private current: CubicContour | undefined

  constructor(cff: CffTable, glyph: number, budget: Budget, region: number | undefined, isAccented = false) {
    this.cff = cff
    this.dict = cff.dictOf(glyph)
    this.budget = budget
    this.region = region
    this.variationIndex = this.dict.variationIndex
    this.expectsWidth = !cff.isCff2
    this.allowAccents = !isAccented
    const program = cff.charStrings[glyph]
    if (!program) throw damagedFont()
    this.run(program, 0)
  }

  private readonly allowAccents: boolean

  private run(program: Uint8Array, depth: number): void {
    if (depth > DEPTH_LIMIT) throw damagedFont()
    const cursor = new FontCursor(program)
    while (!cursor.atEnd && !this.done) {
      const byte = cursor.u8()
      this.budget.spend(1)
      if (byte >= 32 || byte === 28) this.push(readNumber(cursor, byte))
      else if (byte === 11) return
      else if (byte === 10) this.call(this.dict.subroutines, depth)
      else if (byte === 29) this.call(this.cff.globalSubroutines, depth)
      else this.operate(byte, cursor)
    }
  }

  private call(subroutines: readonly Uint8Array[], depth: number): void {
    const subroutine = subroutines[this.pop() + biasOf(subroutines.length)]
    if (!subroutine) throw damagedFont()
    this.run(subroutine, depth + 1)
  }

  private push(value: number): void {
    if (this.count === STACK_LIMIT) throw damagedFont()
    this.stack[this.count++] = value
  }

  private pop(): number {
    if (this.count === 0) throw damagedFont()
    return this.stack[--this.count]!
  }

  /** Operators that draw take all numbers at hand. */
  private operate(operator: number, cursor: FontCursor): void {
    switch (operator) {
      case 1:
      case 3:
      case 18:
      case 23:
        this.hint()
        break
      case 19:
      case 20:
        this.hint()
        cursor.take((this.stems + 7) >> 3)
        break
      case 21:
        this.skipWidth(this.count > 2)
        this.move(this.at(this.count - 2), this.at(this.count - 1))
        break
      case 22:
        this.skipWidth(this.count > 1)
        this.move(this.at(this.count - 1), 0)
        break
      case 4:
        this.skipWidth(this.count > 1)
        this.move(0, this.at(this.count - 1))
        break
      case 14:
        this.end()
        break
      case 15:
        this.variationIndex = this.pop()
        return
      case 16:
        this.blend()
        return
      case 12:
        if (this.compute(cursor.u8())) return
        break
      default:
        this.draw(operator)
    }
    this.count = 0
  }

  private hint(): void {
    this.skipWidth((this.count & 1) === 1)
    this.stems += this.count >> 1
  }

  /** The width stands below what the first operator takes; that of `hmtx` counts, so that it is passed over. */
  private skipWidth(hasWidth: boolean): void {
    if (this.expectsWidth && hasWidth) {
      this.stack.copyWithin(0, 1, this.count)
      this.count--
    }
    this.expectsWidth = false
  }

  private at(index: number): number {
    return index >= 0 && index < this.count ? this.stack[index]! : 0
  }

  private move(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
    this.current = undefined
  }

  /** The contour being drawn; it begins where the last move led, or the last contour ended. */
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

  private draw(operator: number): void {
    const { stack: s, count } = this
    let i = 0
    const curves = (end: number) => {
      for (; i + 6 <= end; i += 6) this.curve(s[i]!, s[i + 1]!, s[i + 2]!, s[i + 3]!, s[i + 4]!, s[i + 5]!)
    }
    const lines = (end: number) => {
      for (; i + 2 <= end; i += 2) this.line(s[i]!, s[i + 1]!)
    }
    switch (operator) {
      case 5:
        lines(count)
        return
      case 6:
      case 7:
        for (let horizontal = operator === 6; i < count; i++, horizontal = !horizontal) {
          this.line(horizontal ? s[i]! : 0, horizontal ? 0 : s[i]!)
        }
        return
      case 8:
        curves(count)
        return
      case 24:
        curves(count - 2)
        lines(count)
        return
      case 25:
        lines(count - 6)
        curves(count)
        return
      case 26: {
        let first = count & 1 ? s[i++]! : 0
        for (; i + 4 <= count; i += 4, first = 0) this.curve(first, s[i]!, s[i + 1]!, s[i + 2]!, 0, s[i + 3]!)
        return
      }
      case 27: {
        let first = count & 1 ? s[i++]! : 0
        for (; i + 4 <= count; i += 4, first = 0) this.curve(s[i]!, first, s[i + 1]!, s[i + 2]!, s[i + 3]!, 0)
        return
      }
      case 30:
      case 31:
        for (let horizontal = operator === 31; i + 4 <= count; i += 4, horizontal = !horizontal) {
          const last = count - i === 5 ? s[i + 4]! : 0
          if (horizontal) this.curve(s[i]!, 0, s[i + 1]!, s[i + 2]!, last, s[i + 3]!)
          else this.curve(0, s[i]!, s[i + 1]!, s[i + 2]!, s[i + 3]!, last)
        }
        return
      default:
        throw damagedFont()
    }
  }

  private end(): void {
    this.done = true
    this.skipWidth(this.count === 1 || this.count === 5)
    if (this.count < 4 || this.cff.isCff2) return
    // A letter and an accent over it, by their codes.
    const [dx, dy, base, accent] = [this.at(0), this.at(1), this.at(2), this.at(3)]
    this.include(base, 0, 0)
    this.include(accent, dx, dy)
  }

  private include(code: number, dx: number, dy: number): void {
    const name = standardGlyphName(code)
    const glyph = name === undefined ? -1 : this.cff.charset.indexOf(name)
    if (glyph < 0 || !this.allowAccents) throw damagedFont()
    const { contours } = new CharString(this.cff, glyph, this.budget, this.region, true)
    for (const { segments, points } of contours) {
      this.points += points.length / 2
      checkPoints(this.points)
      this.contours.push({ segments, points: points.map((value, i) => value + (i % 2 ? dy : dx)) })
    }
  }

  /** Replaces defaults and changes of numbers by the numbers in the region that is drawn. */
  private blend(): void {
    const values = this.pop()
    const regions = this.cff.store?.subtables[this.variationIndex]?.regions.length
    const start = this.count - values * ((regions ?? 0) + 1)
    if (regions === undefined || !(values >= 0) || start < 0) throw damagedFont()
    if (this.region !== undefined) {
      for (let i = 0; i < values; i++) {
        this.stack[start + i]! += this.stack[start + values + i * regions + this.region]!
      }
    }
    this.count = start + values
  }

  /** Operators of two bytes. @returns whether numbers stay at hand */
  private compute(operator: number): boolean {
    const { stack: s } = this
    switch (operator) {
      case 34:
        this.curve(s[0]!, 0, s[1]!, s[2]!, s[3]!, 0)
        this.curve(s[4]!, 0, s[5]!, -s[2]!, s[6]!, 0)
        return false
      case 35:
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, s[5]!)
        this.curve(s[6]!, s[7]!, s[8]!, s[9]!, s[10]!, s[11]!)
        return false
      case 36:
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, 0)
        this.curve(s[5]!, 0, s[6]!, s[7]!, s[8]!, -(s[1]! + s[3]! + s[7]!))
        return false
      case 37: {
        const dx = s[0]! + s[2]! + s[4]! + s[6]! + s[8]!
        const dy = s[1]! + s[3]! + s[5]! + s[7]! + s[9]!
        const flat = Math.abs(dx) > Math.abs(dy)
        this.curve(s[0]!, s[1]!, s[2]!, s[3]!, s[4]!, s[5]!)
        this.curve(s[6]!, s[7]!, s[8]!, s[9]!, flat ? s[10]! : -dx, flat ? -dy : s[10]!)
        return false
      }
      default:
        return this.calculate(operator)
    }
  }

  private calculate(operator: number): boolean {
    const two = (result: (a: number, b: number) => number) => {
      const b = this.pop()
      this.push(result(this.pop(), b))
    }
    switch (operator) {
      case 3:
        two((a, b) => (a && b ? 1 : 0))
        break
      case 4:
        two((a, b) => (a || b ? 1 : 0))
        break
      case 5:
        this.push(this.pop() ? 0 : 1)
        break
      case 9:
        this.push(Math.abs(this.pop()))
        break
      case 10:
        two((a, b) => a + b)
        break
      case 11:
        two((a, b) => a - b)
        break
      case 12:
        two((a, b) => (b === 0 ? 0 : a / b))
        break
      case 14:
        this.push(-this.pop())
        break
      case 15:
        two((a, b) => (a === b ? 1 : 0))
        break
      case 18:
        this.pop()
        break
      case 20: {
        const index = this.pop()
        if (!(index >= 0 && index < STORED_LIMIT)) throw damagedFont()
        this.stored[index] = this.pop()
        break
      }
      case 21:
        this.push(this.stored[this.pop()] ?? 0)
        break
      case 22: {
        const [b, a, second, first] = [this.pop(), this.pop(), this.pop(), this.pop()]
        this.push(a <= b ? first : second)
        break
      }
      case 23:
        // A random number above 0 and up to 1; files must not differ from run to run.
        this.push(1)
        break
      case 24:
        two((a, b) => a * b)
        break
      case 26:
        this.push(Math.sqrt(Math.max(0, this.pop())))
        break
      case 27: {
        const value = this.pop()
        this.push(value)
        this.push(value)
        break
      }
      case 28: {
        const [b, a] = [this.pop(), this.pop()]
        this.push(b)
        this.push(a)
        break
      }
      case 29: {
        const back = Math.max(0, this.pop())
        this.push(this.at(this.count - 1 - Math.floor(back)))
        break
      }
      case 30:
        this.roll()
        break
      default:
        return false
    }
    return true
  }

  private roll(): void {
    const [by, count] = [Math.trunc(this.pop()), Math.trunc(this.pop())]
    if (count < 0 || count > this.count) throw damagedFont()
    const start = this.count - count
    const rolled = this.stack.slice(start, this.count)
    for (let i = 0; i < count; i++) this.stack[start + ((((i + by) % count) + count) % count)] = rolled[i]!
  }
}

function readNumber(cursor: FontCursor, byte: number): number {
  if (byte === 28) return cursor.i16()
  if (byte <= 246) return byte - 139
  if (byte <= 250) return (byte - 247) * 256 + cursor.u8() + 108
  if (byte <= 254) return -(byte - 251) * 256 - cursor.u8() - 108
  return cursor.i32() / 65_536
}
