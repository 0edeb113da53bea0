/** Results that are sent to an address instead of being the answer: https://gotenberg.dev/docs/webhook-download/webhook */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { render } from '../../../shared/messages/render.ts'
import { send } from '../../../work/webhooks/sending.ts'
import { checkMayNotify, readUrl } from '../../../work/webhooks/target.ts'
import { languageOf } from '../../http/language.ts'
import { asRequestError, attachment } from '../../http/replies.ts'
import { type Call, unknownValue } from '../conversion.ts'

/** A file to send. */
export interface Sent {
  type: string
  name: string
  /** Undefined for what is packed on its way. */
  bytes: number | undefined
  open(): Promise<Readable>
}

interface Address {
  url: string
  method: 'POST' | 'PUT' | 'PATCH'
}
/** Where a request wants its result, its error, and the news of either. */
export interface Webhook {
  result: Address
  error: Address | undefined
  events: Address | undefined
  headers: Record<string, string>
}

/** They say how a request is sent, which is ours to say. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'te'])

/** @returns undefined if the file is to be the answer @throws RequestError as `POST /convert` does of a webhookUrl */
export function webhookOf({ request, services }: Call): Webhook | undefined {
  const result = addressOf(request, 'Url', 'Method')
  if (!result) return undefined
  checkMayNotify(request.caller, services.config)
  const error = addressOf(request, 'Error-Url', 'Error-Method')
  const events = addressOf(request, 'Events-Url')
  if (!error && !events) throw new RequestError('convert.invalid_webhook', message('gate.webhook_of_errors'))
  return { result, error, events, headers: headersOf(request) }
}

const headerOf = ({ headers }: FastifyRequest, name: string) => {
  const value = headers[`gotenberg-webhook-${name.toLowerCase()}`]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function addressOf(request: FastifyRequest, name: string, methodName = ''): Address | undefined {
  const given = headerOf(request, name)
  if (given === undefined) return undefined
  const wanted = headerOf(request, methodName) ?? 'POST'
  const method = (['POST', 'PUT', 'PATCH'] as const).find(each => each === wanted.toUpperCase())
  if (!method) throw unknownValue(`Gotenberg-Webhook-${methodName}`, wanted)
  return { url: readUrl(given, `Gotenberg-Webhook-${name}`), method }
}

function headersOf(request: FastifyRequest): Record<string, string> {
  const text = headerOf(request, 'Extra-Http-Headers')
  if (text === undefined) return {}
  try {
    const given: unknown = JSON.parse(text)
    if (typeof given === 'object' && given && Object.values(given).every(value => typeof value === 'string'))
      return Object.fromEntries([...new Headers({ ...given })].filter(([name]) => !OWN_HEADERS.has(name)))
  } catch {
    // Told as below.
  }
  throw unknownValue('Gotenberg-Webhook-Extra-Http-Headers', text)
}

/** Sends what a request makes, or why there is nothing, and then that it was sent. */
export async function deliver(call: Call, webhook: Webhook, trace: string, make: () => Promise<Sent>) {
  const news = { correlationId: trace, timestamp: new Date().toISOString() }
  const { outbound, log } = call.services
  const sent = (
    address: Address,
    type: string,
    headers: Record<string, string>,
    open: Sent['open'] | (() => Promise<string>),
  ) =>
    send(
      outbound,
      { ...address, headers: { ...headers, 'content-type': type, 'gotenberg-trace': trace } },
      open,
      call.signal,
    )
  const json = async (address: Address | undefined, body: object) => {
    if (address)
      await sent(address, 'application/json', webhook.headers, async () => JSON.stringify(body)).catch(
        error => log.warn({ err: error }, 'a webhook was not delivered'),
      )
  }
  try {
    const { type, name, bytes, open } = await make()
    const length = bytes === undefined ? undefined : { 'content-length': String(bytes) }
    const headers = { 'content-disposition': attachment(name), ...webhook.headers, ...length }
    await sent(webhook.result, type, headers, open)
    await json(webhook.events, { event: 'webhook.success', ...news })
  } catch (error) {
    if (call.signal.aborted) return
    const { status, reason } = asRequestError(error as Error)
    if (status >= 500) log.error({ err: error }, 'a webhook has no result to send')
    const problem = { status, message: render(reason, languageOf(call.request)) }
    await json(webhook.error, problem)
    await json(webhook.events, { event: 'webhook.error', ...news, error: problem })
  }
}
