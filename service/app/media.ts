import { createReadStream } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { rangeOf, sayRange } from '../http/ranges.ts'

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
  sayRange(reply, wanted, bytes)
  if (wanted === null) {
    onEnd()
    return reply.send()
  }
  const { start, end } = wanted ?? { start: 0, end: bytes - 1 }
  const stream = createReadStream(path, { start, end: Math.max(start, end) })
  stream.once('close', onEnd)
  return reply.header('content-length', end - start + 1).send(stream)
}
