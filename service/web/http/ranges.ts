import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../../store/interfaces/blobs.ts'

/**
 * The part that a Range header asks for, of a file of `bytes` bytes (RFC 9110, section 14.2).
 * @returns undefined for no range, several ranges or another unit, which may be answered with the whole file; null for
 * a range outside the file
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(bytes - 1, Number(last))
  return start < bytes && start <= end ? { start, end } : null
}

/**
 * Sets status and headers for the part that a reply sends: 206 for a range, 416 for one outside the file, otherwise the
 * whole file.
 */
export function sayRange(reply: FastifyReply, range: ByteRange | null | undefined, bytes: number): void {
  if (range === null) reply.code(416).header('content-range', `bytes */${bytes}`)
  else if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
}
