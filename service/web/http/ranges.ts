import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../../store/interfaces/blobs.ts'

/**
 * The part that a Range header asks for, of a file of `bytes` bytes (RFC 9110, section 14.2).
 * @returns undefined for no range, several ranges or another unit, which may be answered with the whole file; null for
 * a range outside the file
 */
function rangeOf(header: string | undefined, bytes: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(bytes - 1, Number(last))
  return start < bytes && start <= end ? { start, end } : null
}

interface Content {
  bytes: number
  type: string
  /** Opens it, or the requested range. */
  open(range: ByteRange | undefined): Promise<Readable>
}

/** Sends a file, or the range of it that a Range header asks for: players need ranges to seek, and downloads to go on. */
export async function sendInRanges(
  { bytes, type, open }: Content,
  header: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const range = rangeOf(header, bytes)
  if (range === null) return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const stream = await open(range)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  return reply
    .headers({ 'accept-ranges': 'bytes', 'content-length': range ? range.end - range.start + 1 : bytes })
    .type(type)
    .send(stream)
}
