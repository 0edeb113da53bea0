/** Content streams of PDF, operator by operator (ISO 32000-1, 7.8.2). */

export type Operand = number | { name: string } | { string: Buffer } | { array: Operand[] } | { dict: true }

export interface Operation {
  operator: string
  operands: readonly Operand[]
  /** Start, including its operands, and end. */
  from: number
  to: number
}

/** The name that an operand is. */
export const nameIn = (operand: Operand | undefined): string | undefined =>
  typeof operand === 'object' && 'name' in operand ? operand.name : undefined

/** Maximum nesting of arrays and dictionaries; deeper ones mean damage. */
const DEPTH_LIMIT = 32

const WHITE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set([...'()<>[]{}/%'].map(character => character.charCodeAt(0)))

const isRegular = (byte: number) => !WHITE.has(byte) && !DELIMITERS.has(byte)

/**
 * Reads the operations of content. An inline image is one operation, `BI`, with the keys and values of its dictionary as
 * operands.
 * @throws Error for invalid content
 */
export function* operations(content: Buffer): Generator<Operation> {
  let at = 0
  let operands: Operand[] = []
  let from = 0

  const skip = () => {
    for (; at < content.length; at++) {
      const byte = content[at]!
      if (byte === 0x25) {
        while (at < content.length && content[at] !== 10 && content[at] !== 13) at++
      } else if (!WHITE.has(byte)) return
    }
  }
  const word = () => {
    const start = at
    while (at < content.length && isRegular(content[at]!)) at++
    return content.toString('latin1', start, at)
  }
  const literal = (): Buffer => {
    const bytes: number[] = []
    let depth = 1
    for (at++; at < content.length; at++) {
      let byte = content[at]!
      if (byte === 0x5c) {
        byte = content[++at] ?? 0
        const escaped = 'nrtbf'.indexOf(String.fromCharCode(byte))
        if (escaped >= 0) bytes.push([10, 13, 9, 8, 12][escaped]!)
        else if (byte >= 0x30 && byte <= 0x37) {
          let value = 0
          for (let digits = 0; digits < 3 && content[at]! >= 0x30 && content[at]! <= 0x37; digits++)
            value = value * 8 + content[at++]! - 0x30
          at--
          bytes.push(value & 255)
        } else if (byte === 13) {
          if (content[at + 1] === 10) at++
        } else if (byte !== 10) bytes.push(byte)
        continue
      }
      if (byte === 0x28) depth++
      else if (byte === 0x29 && --depth === 0) {
        at++
        break
      }
      bytes.push(byte)
    }
    return Buffer.from(bytes)
  }
  const hex = (): Buffer => {
    const end = content.indexOf(0x3e, at)
    if (end < 0) throw new Error('a string without an end')
    const digits = content.toString('latin1', at + 1, end).replace(/[^0-9A-Fa-f]/g, '')
    at = end + 1
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
  }
  const nameHere = () => {
    at++
    return word().replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
  /** A value, or a word that is not a value. */
  const value = (depth: number): Operand | string => {
    if (depth > DEPTH_LIMIT) throw new Error('nested too deep')
    skip()
    const byte = content[at]
    if (byte === undefined) return ''
    if (byte === 0x2f) return { name: nameHere() }
    if (byte === 0x28) return { string: literal() }
    if (byte === 0x5b) {
      at++
      const array: Operand[] = []
      for (;;) {
        skip()
        if (at >= content.length) throw new Error('an array without an end')
        if (content[at] === 0x5d) break
        const item = value(depth + 1)
        if (typeof item !== 'string') array.push(item)
        else if (!['true', 'false', 'null'].includes(item)) throw new Error('an operator in an array')
      }
      at++
      return { array }
    }
    if (byte === 0x3c && content[at + 1] === 0x3c) {
      at += 2
      for (;;) {
        skip()
        if (at >= content.length) throw new Error('a dictionary without an end')
        if (content[at] === 0x3e) break
        value(depth + 1)
      }
      at += 2
      return { dict: true }
    }
    if (byte === 0x3c) return { string: hex() }
    const text = word()
    if (text === '') throw new Error('a stray delimiter')
    return /^[+-]*\d*\.?\d*(-\d*)?$/.test(text) && /\d/.test(text) ? Number.parseFloat(text) || 0 : text
  }

  for (;;) {
    skip()
    if (at >= content.length) return
    if (operands.length === 0) from = at
    const next = value(0)
    if (typeof next !== 'string') operands.push(next)
    else if (next === 'true' || next === 'false' || next === 'null') operands.push({ name: next })
    else if (next === 'ID') {
      at = endOfImage(content, at + 1)
      yield { operator: 'BI', operands, from, to: at }
      operands = []
    } else if (next !== 'BI') {
      yield { operator: next, operands, from, to: at }
      operands = []
    } else operands = []
  }
}

/** The end of an inline image's data that begins at `start`: after the first `EI` that content can follow. */
function endOfImage(content: Buffer, start: number): number {
  for (let at = start; ; at++) {
    at = content.indexOf('EI', at, 'latin1')
    if (at < 0) throw new Error('an inline image without an end')
    const before = content[at - 1] ?? 32
    const after = content[at + 2] ?? 32
    const following = content.subarray(at + 2, at + 12)
    if (
      WHITE.has(before) &&
      WHITE.has(after) &&
      following.every(byte => byte < 0x7f && (byte > 31 || WHITE.has(byte)))
    )
      return at + 2
  }
}
