/** Results that are sent to an address instead of being the answer: https://gotenberg.dev/docs/webhook-download/webhook */
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { render } from '../../../shared/messages/render.ts'
import { OutboundError } from '../../../shared/net/errors.ts'
import type { OutboundRequest } from '../../../shared/net/outbound.ts'
import { isFinal, isRetried, RETRY_DELAYS_MS } from '../../../work/webhooks/deliverer.ts'
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
  method: NonNullable<OutboundRequest['method']>
}
/** Where a request wants its result, its error, and the news of either. */
export interface Webhook {
  result: Address
  error: Address | undefined
  events: Address | undefined
  headers: Record<string, string>
}

/** The receiver's answer is not used. */
const ANSWER_BYTES = 64 * 2 ** 10
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
  const json = (address: Address | undefined, body: object) =>
    address &&
    sendTo(call, address, { ...webhook.headers, ...sentAs('application/json', trace) }, async () =>
      JSON.stringify(body),
    ).catch(error => call.services.log.warn({ err: error }, 'a webhook was not delivered'))
  try {
    const { type, name, bytes, open } = await make()
    const headers = {
      'content-disposition': attachment(name),
      ...webhook.headers,
      ...sentAs(type, trace),
      ...(bytes !== undefined && { 'content-length': String(bytes) }),
    }
    await sendTo(call, webhook.result, headers, open)
    await json(webhook.events, { event: 'webhook.success', ...news })
  } catch (error) {
    if (call.signal.aborted) return
    const { status, reason } = asRequestError(error as Error)
    if (status >= 500) call.services.log.error({ err: error }, 'a webhook has no result to send')
    const problem = { status, message: render(reason, languageOf(call.request)) }
    await json(webhook.error, problem)
    await json(webhook.events, { event: 'webhook.error', ...news, error: problem })
  }
}

const sentAs = (type: string, trace: string) => ({ 'content-type': type, 'gotenberg-trace': trace })

/** Sends a file, and again while its receiver has trouble. @throws RequestError */
async function sendTo(
  { services, signal }: Call,
  { url, method }: Address,
  headers: Record<string, string>,
  open: () => Promise<Readable | string>,
): Promise<void> {
  for (const delay of [...RETRY_DELAYS_MS, undefined]) {
    try {
      const content = await open()
      const body = typeof content === 'string' ? content : (Readable.toWeb(content) as ReadableStream)
      const request = { method, headers, maxBytes: ANSWER_BYTES, maxRedirects: 0, signal, body }
      await using answer = await services.outbound(url, request)
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
