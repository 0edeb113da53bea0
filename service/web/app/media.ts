import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../../store/interfaces/blobs.ts'
import { rangeOf, sayRange } from '../http/ranges.ts'

interface Content {
  bytes: number
  type: string
  /** Opens it, or the requested range. */
  open(range: ByteRange | undefined): Promise<Readable>
}

/** Sends a file, or the range that a player asks for (RFC 9110, section 14): without ranges players cannot seek. */
export async function sendInRanges(
  { bytes, type, open }: Content,
  range: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const wanted = rangeOf(range, bytes)
  const stream = wanted === null ? undefined : await open(wanted)
  reply.header('accept-ranges', 'bytes').type(type)
  sayRange(reply, wanted, bytes)
  if (!stream) return reply.send()
  return reply.header('content-length', wanted ? wanted.end - wanted.start + 1 : bytes).send(stream)
}
