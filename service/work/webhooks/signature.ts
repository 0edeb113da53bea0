import { createHmac } from 'node:crypto'

/** Marks a secret whose key is in Base64; any other secret is used as the key itself. */
const STANDARD_PREFIX = 'whsec_'

/** The key that a secret of Standard Webhooks stands for, empty if it is not Base64; undefined for any other secret. */
export function standardKey(secret: string): Buffer | undefined {
  if (!secret.startsWith(STANDARD_PREFIX)) return undefined
  const text = secret.slice(STANDARD_PREFIX.length)
  return Buffer.from(/^[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : '', 'base64')
}

export interface Signed {
  eventId: string
  secret: string
  /** Seconds since 1970. */
  timestamp: number
  /** The JSON exactly as it is sent. */
  body: string
}

/**
 * Headers that prove to a receiver that a webhook comes from here: the contract's, `t=<seconds>,v1=<hex>` with HMAC-SHA256 over
 * `<seconds>.<body>`, and those of Standard Webhooks, whose key and signed text differ:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders({ eventId, secret, timestamp, body }: Signed): Record<string, string> {
  const own = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const key = standardKey(secret) ?? secret
  const standard = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')
  return {
    'x-service-signature': `t=${timestamp},v1=${own}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  }
}
