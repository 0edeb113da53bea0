import { createReadStream } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { formats } from '../catalogue/formats.ts'
import { RequestError } from '../errors.ts'
import type { Viewed } from '../preview/viewed.ts'

/** Types that are sent as they are: players read them, and nothing that a browser would run has one. */
const PLAYED = /^(audio|video)\//

/** Sends a recording, or the range of it that a player asks for (RFC 9110, section 14). */
export async function sendMedia(
  { format, bytes, checkout }: Viewed,
  range: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = format ? formats[format].mime : ''
  if (!PLAYED.test(type)) throw new RequestError('request.not_found')
  const wanted = rangeOf(range, bytes)
  reply.header('accept-ranges', 'bytes').type(type)
  if (wanted === null) return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const local = await checkout()
  const { start, end } = wanted ?? { start: 0, end: bytes - 1 }
  if (wanted) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  const stream = createReadStream(local.path, { start, end })
  stream.once('close', () => void local[Symbol.asyncDispose]())
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
