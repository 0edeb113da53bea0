/**
 * Runs the programs that draw glyphs: Adobe Technical Note 5177, "The Type 2 Charstring Format"; OpenType 1.9.1, "CFF2
 * CharString".
 */
import { damagedFont, FontCursor } from '../../sfnt/data.ts'
import type { Budget } from '../budget.ts'
import type { CubicContour } from '../contours.ts'
import { readNumber } from './charstring-numbers.ts'
import { escapedOperators, operators } from './charstring-operators.ts'
import { Path } from './charstring-path.ts'
import { OperandStack } from './operand-stack.ts'
import type { CffTable, FontDict } from './read.ts'
import { standardGlyphName } from './standard-strings.ts'

/** Maximum nesting of subroutines; the format allows ten. */
const DEPTH_LIMIT = 16

/** Shared by all programs, since glyphs and their parts are drawn one after another. */
const operands = new OperandStack()

/** The bias added to a subroutine number. */
export const biasOf = (count: number): number => (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768)

/** The outline of a glyph, of a variable font in its default style. */
export interface CharStringOutline {
  contours: CubicContour[]
  /** The advance width in CFF; without `hmtx` it counts. */
  width: number
}

/** @throws JobFailure corrupt_input, too_large */
export function drawGlyph(cff: CffTable, glyph: number, budget: Budget): CharStringOutline {
  const program = new CharString(cff, glyph, budget)
  return { contours: program.path.contours, width: program.width }
}

class CharString {
  readonly path = new Path()
  width: number
  private variationIndex: number
  private readonly cff: CffTable
  private readonly dict: FontDict
  private readonly budget: Budget
  private readonly allowAccents: boolean
  private readonly stack = operands
  private stems = 0
  /** Whether the first operator, which the glyph's width precedes in CFF, is still to come. */
  private expectsWidth: boolean
  private done = false

  constructor(cff: CffTable, glyph: number, budget: Budget, isAccented = false) {
    this.cff = cff
    this.dict = cff.dictOf(glyph)
    this.budget = budget
    this.variationIndex = this.dict.variationIndex
    this.width = this.dict.defaultWidth
    this.expectsWidth = !cff.isCff2
    this.allowAccents = !isAccented
    this.stack.clear()
    const program = cff.charStrings[glyph]
    if (!program) throw damagedFont()
    this.run(program, 0)
  }

  private run(program: Uint8Array, depth: number): void {
    if (depth > DEPTH_LIMIT) throw damagedFont()
    const cursor = new FontCursor(program)
    while (!cursor.atEnd && !this.done) {
      const byte = cursor.u8()
      this.budget.spend(1)
      if (byte >= 32 || byte === 28) this.stack.push(readNumber(cursor, byte))
      else if (byte === operators.return) return
      else if (byte === operators.callsubr) this.call(this.dict.subroutines, depth)
      else if (byte === operators.callgsubr) this.call(this.cff.globalSubroutines, depth)
      else this.operate(byte, cursor)
    }
  }

  private call(subroutines: readonly Uint8Array[], depth: number): void {
    const subroutine = subroutines[this.stack.pop() + biasOf(subroutines.length)]
    if (!subroutine) throw damagedFont()
    this.run(subroutine, depth + 1)
  }

  /** Drawing operators take all numbers on the stack. */
  private operate(operator: number, cursor: FontCursor): void {
    const { stack, path } = this
    switch (operator) {
      case operators.hstem:
      case operators.vstem:
      case operators.hstemhm:
      case operators.vstemhm:
        this.hint()
        break
      case operators.hintmask:
      case operators.cntrmask:
        this.hint()
        cursor.take((this.stems + 7) >> 3)
        break
      case operators.rmoveto:
        this.takeWidth(stack.count > 2)
        path.move(stack.at(stack.count - 2), stack.at(stack.count - 1))
        break
      case operators.hmoveto:
        this.takeWidth(stack.count > 1)
        path.move(stack.at(stack.count - 1), 0)
        break
      case operators.vmoveto:
        this.takeWidth(stack.count > 1)
        path.move(0, stack.at(stack.count - 1))
        break
      case operators.endchar:
        this.end()
        break
      case operators.vsindex:
        this.variationIndex = stack.pop()
        return
      case operators.blend:
        this.blend()
        return
      case operators.escape: {
        const second = cursor.u8()
        if (second !== escapedOperators.div) {
          path.drawFlex(second, stack)
          break
        }
        const by = stack.pop()
        stack.push(stack.pop() / (by || 1))
        return
      }
      default:
        path.draw(operator, stack)
    }
    stack.clear()
  }

  private hint(): void {
    this.takeWidth((this.stack.count & 1) === 1)
    this.stems += this.stack.count >> 1
  }

  /** The width is below the arguments of the first operator. */
  private takeWidth(hasWidth: boolean): void {
    if (this.expectsWidth && hasWidth) this.width = this.dict.nominalWidth + this.stack.shift()
    this.expectsWidth = false
  }

  private end(): void {
    const { stack, path } = this
    this.done = true
    this.takeWidth(stack.count === 1 || stack.count === 5)
    if (stack.count < 4 || this.cff.isCff2) return
    // A letter and an accent over it, by their codes.
    const [dx, dy, base, accent] = [stack.at(0), stack.at(1), stack.at(2), stack.at(3)]
    path.include(this.part(base), 0, 0)
    path.include(this.part(accent), dx, dy)
  }

  private part(code: number): readonly CubicContour[] {
    const name = standardGlyphName(code)
    const glyph = name === undefined ? -1 : this.cff.charset.indexOf(name)
    if (glyph < 0 || !this.allowAccents) throw damagedFont()
    return new CharString(this.cff, glyph, this.budget, true).path.contours
  }

  /** Drops the changes after default values. */
  private blend(): void {
    const { stack } = this
    const values = stack.pop()
    const regions = this.cff.regionCounts[this.variationIndex]
    const count = stack.count - values * (regions ?? 0)
    if (regions === undefined || !(values >= 0) || count < values) throw damagedFont()
    stack.count = count
  }
}
