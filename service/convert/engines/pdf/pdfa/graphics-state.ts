/** Operations of content, each with its graphics state (ISO 32000-1, 8.4 and 9.3). */
import type { PDFDict } from '@cantoo/pdf-lib'
import { identity, type Matrix, multiply } from '../../common/matrix.ts'
import { nameIn, type Operand, type Operation, operations } from './content.ts'
import { dictEntry } from './objects.ts'

export interface GraphicsState {
  matrix: Matrix
  /** Undefined for one that the resources do not have. */
  font: PDFDict | undefined
  isInvisible: boolean
}

export const isMatrix = (values: readonly unknown[]): values is Matrix & number[] =>
  values.length === 6 && values.every(value => typeof value === 'number' && Number.isFinite(value))

/**
 * The operations of content; its forms are not followed.
 * @param matrix the transformation at its beginning
 * @returns with `depth`, how many states are saved after it
 * @throws Error for invalid content
 */
export function* operationsWithState(
  content: Buffer,
  resources: PDFDict | undefined,
  matrix = identity,
): Generator<Operation & { state: GraphicsState; depth: number }> {
  const saved: GraphicsState[] = []
  let state: GraphicsState = { matrix, font: undefined, isInvisible: false }
  for (const operation of operations(content)) {
    const { operator, operands } = operation
    if (operator === 'q') saved.push(state)
    else if (operator === 'Q') state = saved.pop() ?? state
    else if (operator === 'cm' && isMatrix(operands))
      state = { ...state, matrix: multiply(operands, state.matrix) }
    else if (operator === 'Tf')
      state = { ...state, font: dictEntry(resources, 'Font', nameIn(operands[0]) ?? '') }
    else if (operator === 'Tr') state = { ...state, isInvisible: operands[0] === 3 }
    yield { ...operation, state, depth: saved.length }
  }
}

/** The strings that an operation shows. */
export function* shownStrings({ operator, operands }: Operation): Generator<Buffer> {
  if (/^(?:TJ|Tj|'|")$/.test(operator)) yield* stringsIn(operands)
}

function* stringsIn(operands: readonly Operand[]): Generator<Buffer> {
  for (const operand of operands) {
    if (typeof operand !== 'object') continue
    if ('string' in operand) yield operand.string
    else if ('array' in operand) yield* stringsIn(operand.array)
  }
}
