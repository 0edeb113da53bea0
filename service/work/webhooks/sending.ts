/** What all that is sent to receivers has in common. */
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { OutboundError } from '../../shared/net/errors.ts'
import type { Outbound } from '../../shared/net/outbound.ts'

/** Waits after each failed attempt; there is none after the last. */
export const RETRY_DELAYS_MS = [1000, 5000, 30_000, 120_000]
/** A receiver's answer is not used; more than this ends the connection. */
export const ANSWER_BYTES = 64 * 2 ** 10
/** Failures that would occur again at the next attempt. */
const FINAL_CODES = new Set(['private_address', 'invalid_url', 'invalid_scheme', 'offline'])

/** Whether an attempt that failed so would fail again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof OutboundError && FINAL_CODES.has(error.code)

/** Whether a receiver that answers so may take it later. */
export const isRetried = (status: number): boolean => status === 429 || status >= 500

/**
 * Sends a text or a file, and again while its receiver has trouble.
 * @param open its content, for each attempt
 * @throws RequestError convert.failed if it did not arrive
 */
export async function send(
  outbound: Outbound,
  { url, ...how }: { url: string; method: 'POST' | 'PUT' | 'PATCH'; headers: Record<string, string> },
  open: () => Promise<Readable | string>,
  signal: AbortSignal,
): Promise<void> {
  for (const delay of [...RETRY_DELAYS_MS, undefined]) {
    try {
      const content = await open()
      const body = typeof content === 'string' ? content : (Readable.toWeb(content) as ReadableStream)
      const request = { ...how, body, maxBytes: ANSWER_BYTES, maxRedirects: 0, signal }
      await using answer = await outbound(url, request)
      if (answer.status < 300) return
      if (delay === undefined || !isRetried(answer.status))
        throw new RequestError('convert.failed', message('webhook.refused', { status: answer.status }))
    } catch (error) {
      if (delay === undefined || error instanceof RequestError || isFinal(error))
        throw error instanceof OutboundError ? new RequestError('convert.failed', error.reason) : error
    }
    await setTimeout(delay, undefined, { signal, ref: false })
  }
}
