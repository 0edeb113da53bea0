/** Marks what a tagged page draws outside of its structure as decoration (ISO 14289-1, 7.1). */
import { operations } from '../pdfa/content.ts'

const PATH = /^(?:m|l|c|v|y|h|re)$/
const PAINT = /^(?:[fFSsbB]\*?|sh|Do|BI)$/
const TEXT = /^(?:TJ|Tj|'|")$/

/**
 * @returns the content with marks if it needs any, and whether it shows text outside of the structure, which is left as it is
 * @throws Error for invalid content
 */
export function withDecoration(content: Buffer): { content: Buffer | undefined; hasText: boolean } {
  const parts: Buffer[] = []
  let [done, depth, hasText] = [0, 0, false]
  let path: number | undefined
  for (const { operator, from, to } of operations(content)) {
    if (operator === 'BMC' || operator === 'BDC') depth++
    else if (operator === 'EMC') depth--
    else if (depth > 0) continue
    else if (PATH.test(operator)) path ??= from
    else if (operator === 'n') path = undefined
    else if (TEXT.test(operator)) hasText = true
    else if (PAINT.test(operator)) {
      parts.push(
        content.subarray(done, path ?? from),
        Buffer.from(' /Artifact BMC '),
        content.subarray(path ?? from, to),
        Buffer.from(' EMC '),
      )
      done = to
      path = undefined
    }
  }
  return { content: done > 0 ? Buffer.concat([...parts, content.subarray(done)]) : undefined, hasText }
}
