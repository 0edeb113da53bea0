import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../stores/blobs.ts'

/**
 * The part of so many bytes that a Range header asks for (RFC 9110, section 14.2).
 * @returns undefined for no range, several or another unit, which may be answered with all; null for one outside
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(bytes - 1, Number(last))
  return start < bytes && start <= end ? { start, end } : null
}

/** Says which part of so many bytes a reply has: of a range 206, of one outside 416 and nothing more, of all nothing. */
export function sayRange(reply: FastifyReply, range: ByteRange | null | undefined, bytes: number): void {
  if (range === null) reply.code(416).header('content-range', `bytes */${bytes}`)
  else if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
}
