import type { Options } from '../catalogue/task.ts'
import { RequestError } from '../errors.ts'

/** The fields of `POST /convert`, from a form or from JSON. */
export interface ConvertFields {
  targetFormat: string
  sourceFormat: string | undefined
  options: Options
  inputUrl: string | undefined
}

const known = new Set([
  'inputUrl',
  'targetFormat',
  'sourceFormat',
  'options',
  'webhookUrl',
  'webhookSecret',
  'webhookEvents',
  'outputUrl',
])

/**
 * Checks the fields that do not depend on the file.
 * @param values field values; `options` is a JSON text in a form and an object in JSON
 * @param query target format of the query string, used when the body names none
 */
export function readFields(values: Record<string, unknown>, query: string | undefined): ConvertFields {
  const unknown = Object.keys(values).find(name => !known.has(name))
  if (unknown !== undefined) {
    throw new RequestError(
      'convert.invalid_options',
      `"${unknown}" is not a field of this request. Conversion options go into the field "options" as JSON.`,
    )
  }
  if (values.outputUrl !== undefined) {
    throw new RequestError('url_fetch.output_url_reserved', 'outputUrl is reserved. Leave it out.', {
      context: { isRetryable: false },
    })
  }
  const targetFormat = word(values.targetFormat) ?? word(query)
  if (targetFormat === undefined) {
    throw new RequestError(
      'convert.missing_target_format',
      'Say what the file is to become in the field "targetFormat".',
    )
  }
  checkWebhook(values)
  return {
    targetFormat,
    sourceFormat: word(values.sourceFormat),
    options: readOptions(values.options),
    inputUrl: values.inputUrl === undefined ? undefined : String(values.inputUrl),
  }
}

const word = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

function readOptions(value: unknown): Options {
  const parsed = typeof value === 'string' && value.trim() !== '' ? parseJson(value) : (value ?? {})
  if (parsed === '') return {}
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new RequestError('convert.invalid_options', 'options must be a JSON object.')
  }
  return parsed as Options
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('convert.invalid_options', 'options is not valid JSON.')
  }
}

/** Webhooks cannot be delivered by this version, so a request that asks for one is refused, not half served. */
function checkWebhook(values: Record<string, unknown>): void {
  if (
    values.webhookUrl === undefined &&
    values.webhookSecret === undefined &&
    values.webhookEvents === undefined
  )
    return
  throw new RequestError(
    'convert.invalid_webhook',
    'This version of Refile delivers no webhooks. Poll the job, or listen to GET /convert/job/{id}/events.',
  )
}

/** @throws RequestError url_fetch.* for an address that must not be fetched */
export function checkInputUrl(text: string): URL {
  const refuse = (code: 'invalid_url' | 'invalid_scheme' | 'private_ip', detail: string) =>
    new RequestError(`url_fetch.${code}`, detail, { context: { isRetryable: false } })
  const url = URL.parse(text)
  if (!url) throw refuse('invalid_url', 'inputUrl is not a valid URL.')
  if (url.protocol !== 'https:') throw refuse('invalid_scheme', 'inputUrl must begin with https://.')
  // The URL parser has already turned every odd spelling of an address into dotted digits or brackets.
  if (/^[\d.]+$|^\[/.test(url.hostname) || /^(.+\.)?localhost\.?$/i.test(url.hostname)) {
    throw refuse('private_ip', 'inputUrl must name a public host, not an IP address.')
  }
  return url
}
