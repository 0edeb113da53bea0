import type { components } from './api.ts'

export type JobSucceeded = components['schemas']['JobSucceeded']
export type JobFailed = components['schemas']['JobFailed']
/** What the service posts when a job has ended. */
export type WebhookEvent = JobSucceeded | JobFailed

/** A request that is not a webhook of the service, or not a fresh one. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError'
}

/** How old a signature may be, in seconds. */
const TOLERANCE_SECONDS = 300

/**
 * Verifies the signature of a webhook (`X-Service-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<seconds>.<raw body>`).
 * @param body the raw body, as it was received; JSON that was parsed and written again has another signature
 * @param signature value of the header `X-Service-Signature`, as Node's, or a standard request's, headers have it
 * @param secret the `webhookSecret` of the submission
 * @throws WebhookError if it was not signed with this secret, or too long ago
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  signature: string | readonly string[] | null | undefined,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = {},
): Promise<WebhookEvent> {
  const fields = new Map(
    String(signature ?? '')
      .split(',')
      .map(part => part.trim().split('=', 2) as [string, string]),
  )
  const [seconds, hex] = [fields.get('t') ?? '', fields.get('v1') ?? '']
  if (!/^\d{1,12}$/.test(seconds) || !/^[\da-f]{64}$/i.test(hex)) {
    throw new WebhookError('The request has no signature of the service.')
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const raw = typeof body === 'string' ? bytes(body) : body
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['verify'])
  const signed = new Uint8Array([...bytes(`${seconds}.`), ...raw])
  const mac = Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  // Web Crypto compares in constant time.
  if (!(await crypto.subtle.verify('HMAC', key, mac, signed))) {
    throw new WebhookError('The signature does not match the body and the secret.')
  }
  if (Math.abs(now / 1000 - Number(seconds)) > toleranceSeconds) {
    throw new WebhookError('The signature is too old.')
  }
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent
}
