import { RequestError } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { isLiteralAddress, isLocalName } from '../../shared/net/addresses.ts'
import {
  type WebhookEvent,
  type WebhookTarget,
  webhookEvents,
} from '../../store/interfaces/webhook-target.ts'
import { standardKey } from './signature.ts'

const MAX_URL_LENGTH = 2048
const SECRET_LENGTH = { least: 16, most: 256 }
/** Fewest bytes of a key that a secret gives in Base64. */
const MIN_KEY_BYTES = 16

const refused = (reason: Message) => new RequestError('convert.invalid_webhook', reason)

/** @throws RequestError convert.invalid_webhook to guests, and where nothing leaves the machine */
export function checkMayNotify({ guest }: { guest: boolean }, { offline }: { offline: boolean }): void {
  if (guest) throw refused(message('webhook.guest'))
  if (offline) throw refused(message('webhook.offline'))
}

/**
 * Reads the fields of a request that subscribe to the end of its job.
 * @returns undefined if it does not ask for a webhook
 * @throws RequestError convert.invalid_webhook
 */
export function readWebhook(values: Record<string, unknown>): WebhookTarget | undefined {
  const { webhookUrl, webhookSecret, webhookEvents: events } = values
  if (webhookUrl === undefined) {
    if (webhookSecret === undefined && events === undefined) return undefined
    throw refused(message('webhook.no_url'))
  }
  return {
    url: readUrl(webhookUrl, 'webhookUrl'),
    secret: readSecret(webhookSecret),
    events: readEvents(events),
  }
}

/**
 * The address of a receiver.
 * @param name of the field or header that has it
 * @throws RequestError convert.invalid_webhook unless it is one of the internet, by https
 */
export function readUrl(value: unknown, name: string): string {
  const url = typeof value === 'string' && value.length <= MAX_URL_LENGTH ? URL.parse(value) : null
  if (!url) throw refused(message('webhook.invalid_url', { name, most: MAX_URL_LENGTH }))
  if (url.protocol !== 'https:') throw refused(message('webhook.invalid_scheme', { name }))
  if (url.username || url.password) throw refused(message('webhook.credentials', { name }))
  if (isLiteralAddress(url.hostname) || isLocalName(url.hostname))
    throw refused(message('webhook.local_host', { name }))
  return url.href
}

function readSecret(value: unknown): string {
  const { least, most } = SECRET_LENGTH
  if (typeof value !== 'string' || value.length < least || value.length > most)
    throw refused(message('webhook.invalid_secret', { least, most }))
  if ((standardKey(value)?.length ?? MIN_KEY_BYTES) < MIN_KEY_BYTES)
    throw refused(message('webhook.invalid_key', { least: MIN_KEY_BYTES }))
  return value
}

function readEvents(value: unknown): WebhookEvent[] {
  if (value === undefined || value === '') return [...webhookEvents]
  const words = typeof value === 'string' ? value.split(',').map(word => word.trim()) : []
  const wanted = webhookEvents.filter(event => words.includes(event))
  if (words.length > 0 && words.every(word => wanted.some(event => event === word))) return wanted
  throw refused(message('webhook.invalid_events', { events: webhookEvents.join(', ') }))
}
