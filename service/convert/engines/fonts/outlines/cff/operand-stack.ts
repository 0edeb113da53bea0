import { damagedFont } from '../../sfnt/data.ts'

/** Maximum stack size, as in CFF2. */
const LIMIT = 513

/** The operand stack of a glyph program. */
export class OperandStack {
  readonly values = new Float64Array(LIMIT)
  count = 0

  /** @throws JobFailure corrupt_input */
  push(value: number): void {
    if (this.count === LIMIT) throw damagedFont()
    this.values[this.count++] = value
  }

  /** @throws JobFailure corrupt_input */
  pop(): number {
    if (this.count === 0) throw damagedFont()
    return this.values[--this.count]!
  }

  /** The number at an index from the bottom; 0 where there is none. */
  at(index: number): number {
    return index >= 0 && index < this.count ? this.values[index]! : 0
  }

  /** Removes the lowest number. */
  shift(): number {
    const [lowest] = this.values
    this.values.copyWithin(0, 1, this.count)
    this.count--
    return lowest!
  }

  clear(): void {
    this.count = 0
  }
}
