/** Writes variable contours as programs: OpenType 1.9.1, "CFF2 CharString". */
import type { VariableContour } from '../quadratic-to-cubic.ts'
import { writeNumber } from './charstring-numbers.ts'
import { operators } from './charstring-operators.ts'
import type { EncodedContour } from './encode.ts'

/** Numbers at hand at once. */
const STACK_LIMIT = 513

/** A number, and its change in each region. */
type Value = readonly [value: number, ...changes: number[]]

export interface VariableStart extends Omit<EncodedContour, 'start' | 'end'> {
  /** x and y, with their changes. */
  start: [Value, Value]
  end: [Value, Value]
}

/** @returns undefined for a contour without extent */
export function encodeVariable(
  { segments, points, moves }: VariableContour,
  grid: number,
): VariableStart | undefined {
  const variants = [points, ...moves].map(values => values.map(value => Math.round(value / grid) * grid))
  const valueAt = (index: number): Value => variants.map(values => values[index]!) as unknown as Value
  const start: VariableStart['start'] = [valueAt(0), valueAt(1)]
  const program: number[] = []
  let end = start
  for (let at = 2, i = 0; i < segments.length; i++) {
    const operands: Value[] = []
    for (let point = 0; point < segments[i]!; point++, at += 2) {
      const next: VariableStart['start'] = [valueAt(at), valueAt(at + 1)]
      operands.push(difference(next[0], end[0]), difference(next[1], end[1]))
      end = next
    }
    if (segments[i] === 3) writeOperator(program, operands, operators.rrcurveto)
    else if (!operands.every(isZero)) {
      const closes = i === segments.length - 1 && isSame(end[0], start[0]) && isSame(end[1], start[1])
      if (!closes) writeLine(program, operands)
      else end = [sum(end[0], operands[0]!, -1), sum(end[1], operands[1]!, -1)]
    }
  }
  return program.length === 0 ? undefined : { start, end, program: Buffer.from(program) }
}

function writeLine(program: number[], [dx, dy]: readonly Value[]): void {
  if (isZero(dy!)) writeOperator(program, [dx!], operators.hlineto)
  else if (isZero(dx!)) writeOperator(program, [dy!], operators.vlineto)
  else writeOperator(program, [dx!, dy!], operators.rlineto)
}

/**
 * Writes numbers with their changes, then an operator. Neighbours that change are blended together, and others not at all: HarfBuzz
 * draws only what the first 10,000 numbers and operators of a glyph say.
 */
export function writeOperator(program: number[], operands: readonly Value[], operator: number): void {
  const regions = operands[0]!.length - 1
  const atOnce = Math.max(1, Math.floor((STACK_LIMIT - operands.length - 1) / (regions + 1)))
  for (let i = 0; i < operands.length; ) {
    const start = i++
    if (changes(operands[start]!)) {
      while (i < operands.length && i - start < atOnce && changes(operands[i]!)) i++
      writeBlend(program, operands.slice(start, i))
    } else writeNumber(program, operands[start]![0])
  }
  program.push(operator)
}

function writeBlend(program: number[], values: readonly Value[]): void {
  for (const [value] of values) writeNumber(program, value)
  for (const [, ...moves] of values) for (const change of moves) writeNumber(program, change)
  writeNumber(program, values.length)
  program.push(operators.blend)
}

const changes = (value: Value) => value.some((change, i) => i > 0 && change !== 0)
const isZero = (value: Value) => value.every(part => part === 0)
const isSame = (a: Value, b: Value) => a.every((part, i) => part === b[i])
const sum = (a: Value, b: Value, sign: number) => a.map((part, i) => part + sign * b[i]!) as unknown as Value

export const difference = (a: Value, b: Value): Value => sum(a, b, -1)
