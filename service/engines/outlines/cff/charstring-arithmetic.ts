/** Arithmetic operators of glyph programs: Adobe Technical Note 5177, "The Type 2 Charstring Format", sections 4.4 to 4.6. */
import { damagedFont } from '../../sfnt/data.ts'
import type { OperandStack } from './operand-stack.ts'

/** How many numbers a program can store. */
const STORED_LIMIT = 32

/**
 * Runs an operator of two bytes, the first of which is 12.
 * @param stored the stored numbers, by index
 * @returns false if it is not an arithmetic operator
 * @throws JobFailure corrupt_input
 */
export function calculate(operator: number, stack: OperandStack, stored: number[]): boolean {
  const two = (result: (a: number, b: number) => number) => {
    const b = stack.pop()
    stack.push(result(stack.pop(), b))
  }
  switch (operator) {
    case 3:
      two((a, b) => (a && b ? 1 : 0))
      break
    case 4:
      two((a, b) => (a || b ? 1 : 0))
      break
    case 5:
      stack.push(stack.pop() ? 0 : 1)
      break
    case 9:
      stack.push(Math.abs(stack.pop()))
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
      stack.push(-stack.pop())
      break
    case 15:
      two((a, b) => (a === b ? 1 : 0))
      break
    case 18:
      stack.pop()
      break
    case 20: {
      const index = stack.pop()
      if (!(index >= 0 && index < STORED_LIMIT)) throw damagedFont()
      stored[index] = stack.pop()
      break
    }
    case 21:
      stack.push(stored[stack.pop()] ?? 0)
      break
    case 22: {
      const [b, a, second, first] = [stack.pop(), stack.pop(), stack.pop(), stack.pop()]
      stack.push(a <= b ? first : second)
      break
    }
    case 23:
      // A "random" number above 0 and up to 1; output must not differ between runs.
      stack.push(1)
      break
    case 24:
      two((a, b) => a * b)
      break
    case 26:
      stack.push(Math.sqrt(Math.max(0, stack.pop())))
      break
    case 27: {
      const value = stack.pop()
      stack.push(value)
      stack.push(value)
      break
    }
    case 28: {
      const [b, a] = [stack.pop(), stack.pop()]
      stack.push(b)
      stack.push(a)
      break
    }
    case 29: {
      const back = Math.max(0, stack.pop())
      stack.push(stack.at(stack.count - 1 - Math.floor(back)))
      break
    }
    case 30:
      roll(stack)
      break
    default:
      return false
  }
  return true
}

function roll(stack: OperandStack): void {
  const [by, count] = [Math.trunc(stack.pop()), Math.trunc(stack.pop())]
  if (count < 0 || count > stack.count) throw damagedFont()
  const start = stack.count - count
  const rolled = stack.values.slice(start, stack.count)
  for (let i = 0; i < count; i++) stack.values[start + ((((i + by) % count) + count) % count)] = rolled[i]!
}
