import { expect, test } from 'vitest'
import { operators } from './charstring-operators.ts'
import { writeOperator } from './encode-variable.ts'

test('only numbers that change are blended, neighbours together', () => {
  const program: number[] = []
  writeOperator(
    program,
    [
      [7, 0, 0],
      [1, 2, 0],
      [3, 0, 4],
      [9, 0, 0],
    ],
    operators.rlineto,
  )
  // Numbers from -107 to 107 are one byte, 139 larger.
  const numbers = (...values: number[]) => values.map(value => value + 139)
  expect(program).toEqual([
    ...numbers(7, 1, 3, 2, 0, 0, 4, 2),
    operators.blend,
    ...numbers(9),
    operators.rlineto,
  ])
})
