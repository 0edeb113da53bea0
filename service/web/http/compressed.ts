import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './outputs.ts'

/**
 * An `onSend` hook for large answers that seldom change: whoever has the same one is told so, and others get it compressed if they take
 * that (RFC 9110, sections 8.8.3 and 12.5.3).
 */
export async function compressed({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (typeof payload !== 'string' || reply.statusCode !== 200) return payload
  const etag = `"${createHash('sha256').update(payload).digest('base64url')}"`
  reply.headers({ etag: `W/${etag}`, vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
  reply.removeHeader('content-length')
  if (isKnown(headers['if-none-match'], etag)) {
    reply.code(304)
    return ''
  }
  if (!/\bgzip\b(?!\s*;\s*q=0(?![.\d]*[1-9]))/.test(headers['accept-encoding'] ?? '')) return payload
  reply.header('content-encoding', 'gzip')
  return promisify(gzip)(payload)
}
