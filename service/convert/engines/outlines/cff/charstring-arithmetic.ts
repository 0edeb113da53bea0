/** Arithmetic operators of glyph programs: Adobe Technical Note 5177, "The Type 2 Charstring Format", sections 4.4 to 4.6. */
import { damagedFont } from '../../sfnt/data.ts'
import { escapedOperators } from './charstring-operators.ts'
import type { OperandStack } from './operand-stack.ts'

/** How many numbers a program can store. */
const STORED_LIMIT = 32

/**
 * Runs an operator of two bytes, the first of which is `escape`.
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
    case escapedOperators.and:
      two((a, b) => (a && b ? 1 : 0))
      break
    case escapedOperators.or:
      two((a, b) => (a || b ? 1 : 0))
      break
    case escapedOperators.not:
      stack.push(stack.pop() ? 0 : 1)
      break
    case escapedOperators.abs:
      stack.push(Math.abs(stack.pop()))
      break
    case escapedOperators.add:
      two((a, b) => a + b)
      break
    case escapedOperators.sub:
      two((a, b) => a - b)
      break
    case escapedOperators.div:
      two((a, b) => (b === 0 ? 0 : a / b))
      break
    case escapedOperators.neg:
      stack.push(-stack.pop())
      break
    case escapedOperators.eq:
      two((a, b) => (a === b ? 1 : 0))
      break
    case escapedOperators.drop:
      stack.pop()
      break
    case escapedOperators.put: {
      const index = stack.pop()
      if (!(index >= 0 && index < STORED_LIMIT)) throw damagedFont()
      stored[index] = stack.pop()
      break
    }
    case escapedOperators.get:
      stack.push(stored[stack.pop()] ?? 0)
      break
    case escapedOperators.ifelse: {
      const [b, a, second, first] = [stack.pop(), stack.pop(), stack.pop(), stack.pop()]
      stack.push(a <= b ? first : second)
      break
    }
    case escapedOperators.random:
      // A "random" number above 0 and up to 1; output must not differ between runs.
      stack.push(1)
      break
    case escapedOperators.mul:
      two((a, b) => a * b)
      break
    case escapedOperators.sqrt:
      stack.push(Math.sqrt(Math.max(0, stack.pop())))
      break
    case escapedOperators.dup: {
      const value = stack.pop()
      stack.push(value)
      stack.push(value)
      break
    }
    case escapedOperators.exch: {
      const [b, a] = [stack.pop(), stack.pop()]
      stack.push(b)
      stack.push(a)
      break
    }
    case escapedOperators.index: {
      const back = Math.max(0, stack.pop())
      stack.push(stack.at(stack.count - 1 - Math.floor(back)))
      break
    }
    case escapedOperators.roll:
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
