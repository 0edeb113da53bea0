import type { Options } from '../../convert/catalogue/task.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { WebhookTarget } from '../../store/interfaces/webhook-target.ts'
import { urlRefused } from '../../work/intake/fetch/refusals.ts'
import { readWebhook } from '../../work/webhooks/target.ts'

/** The fields of `POST /convert`, sent as a form or as JSON. */
export interface ConvertFields {
  targetFormat: string
  sourceFormat: string | undefined
  options: Options
  inputUrl: string | undefined
  webhook: WebhookTarget | undefined
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
 * @param values field values; `options` is JSON text in a form and an object in JSON
 * @param query target format from the query string, for a body that names none or the same
 */
export function readFields(values: Record<string, unknown>, query: string | undefined): ConvertFields {
  const unknown = Object.keys(values).find(name => !known.has(name))
  if (unknown !== undefined) {
    throw new RequestError('convert.invalid_options', message('convert.unknown_field', { name: unknown }))
  }
  if (values.outputUrl !== undefined) throw urlRefused('url_fetch.output_url_reserved')
  const [inBody, inQuery] = [word(values.targetFormat), word(query)]
  const targetFormat = inBody ?? inQuery
  if (targetFormat === undefined) throw new RequestError('convert.missing_target_format')
  if (inQuery !== undefined && inQuery !== targetFormat)
    throw new RequestError('request.invalid_parameter', message('request.repeated', { name: 'targetFormat' }))
  return {
    targetFormat,
    sourceFormat: word(values.sourceFormat),
    options: readOptions(values.options),
    // Anything but a string is not a URL.
    inputUrl: values.inputUrl === undefined || typeof values.inputUrl === 'string' ? values.inputUrl : '',
    webhook: readWebhook(values),
  }
}

/** Longer than any format key. Error messages repeat the word, so it has to be bounded. */
const WORD_LENGTH = 100

const word = (value: unknown) =>
  typeof value === 'string' ? value.trim().slice(0, WORD_LENGTH) || undefined : undefined

function readOptions(value: unknown): Options {
  const parsed = typeof value === 'string' && value.trim() !== '' ? parseJson(value) : (value ?? {})
  if (parsed === '') return {}
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new RequestError('convert.invalid_options', message('convert.options_not_an_object'))
  }
  return parsed as Options
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('convert.invalid_options', message('convert.options_not_json'))
  }
}
