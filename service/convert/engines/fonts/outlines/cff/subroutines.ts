import { biasOf } from './charstring.ts'
import { writeNumber } from './charstring-numbers.ts'
import { operators } from './charstring-operators.ts'

/**
 * Maximum number of subroutines: with more, their numbers reach further below zero, where OpenType Sanitiser 8 reads them as
 * positive and refuses the font.
 */
const COUNT_LIMIT = 33_899
/** Maximum size of a call, including the subroutine number. */
const CALL_BYTES = 4
/** Overhead of a subroutine in its INDEX. */
const ENTRY_BYTES = 3

/**
 * Contours shared by several glyphs, such as the letter in an accented letter, as global subroutines. First `count`
 * every contour, then `choose`, then `write` them.
 */
export class SharedContours {
  private readonly counts = new Map<string, number>()
  private readonly numbers = new Map<string, number>()
  private bias = 0

  count(program: Buffer): void {
    const key = program.toString('latin1')
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  /** @returns the subroutines */
  choose(): Buffer[] {
    const saving = ([program, uses]: [string, number]) =>
      uses * (program.length - CALL_BYTES) - program.length - ENTRY_BYTES
    const chosen = [...this.counts].filter(entry => entry[1] > 1 && saving(entry) > 0)
    chosen.sort((a, b) => saving(b) - saving(a))
    chosen.length = Math.min(chosen.length, COUNT_LIMIT)
    this.bias = biasOf(chosen.length)
    for (const [index, [program]] of chosen.entries()) this.numbers.set(program, index)
    return chosen.map(([program]) => Buffer.from(program + String.fromCharCode(operators.return), 'latin1'))
  }

  write(out: number[], program: Buffer): void {
    const number = this.numbers.get(program.toString('latin1'))
    if (number === undefined) {
      for (const byte of program) out.push(byte)
      return
    }
    writeNumber(out, number - this.bias)
    out.push(operators.callgsubr)
  }
}
