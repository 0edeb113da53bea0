import { createReadStream } from 'node:fs'
import type { FastifyReply } from 'fastify'

interface Content {
  path: string
  bytes: number
  type: string
  /** Called once it is sent, or given up. */
  onEnd?: () => void
}

/** Sends a file, or the range of it that a player asks for (RFC 9110, section 14): without ranges players cannot seek. */
export function sendInRanges(
  { path, bytes, type, onEnd = () => {} }: Content,
  range: string | undefined,
  reply: FastifyReply,
): FastifyReply {
  const wanted = rangeOf(range, bytes)
  reply.header('accept-ranges', 'bytes').type(type)
  if (wanted === null) {
    onEnd()
    return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  }
  const { start, end } = wanted ?? { start: 0, end: bytes - 1 }
  if (wanted) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  const stream = createReadStream(path, { start, end: Math.max(start, end) })
  stream.once('close', onEnd)
  return reply.header('content-length', end - start + 1).send(stream)
}

/** One range of so many bytes; undefined for none or several, which may be answered with all, and null for one outside. */
function rangeOf(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | null | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(bytes - 1, Number(last))
  return start < bytes && start <= end ? { start, end } : null
}
