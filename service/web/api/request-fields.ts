import type { Options } from '../../convert/catalogue/task.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { WebhookTarget } from '../../store/interfaces/webhook-target.ts'
import { urlRefused } from '../../work/intake/fetch/refusals.ts'
import type { RequestedStep } from '../../work/intake/prepare.ts'
import { readWebhook } from '../../work/webhooks/target.ts'

/** The fields of `POST /convert`, sent as a form or as JSON. */
export interface ConvertFields extends RequestedStep {
  sourceFormat: string | undefined
  furtherSteps: readonly RequestedStep[]
  inputUrl: string | undefined
  webhook: WebhookTarget | undefined
}

const known = new Set(
  'inputUrl targetFormat sourceFormat options steps webhookUrl webhookSecret webhookEvents outputUrl'.split(
    ' ',
  ),
)

/**
 * Checks the fields that do not depend on the file.
 * @param values field values; `options` and `steps` are JSON text in a form
 * @param query target format from the query string, for a body that names none or the same
 */
export function readFields(values: Record<string, unknown>, query: string | undefined): ConvertFields {
  const unknown = Object.keys(values).find(name => !known.has(name))
  if (unknown !== undefined) {
    throw new RequestError('convert.invalid_options', message('convert.unknown_field', { name: unknown }))
  }
  if (values.outputUrl !== undefined) throw urlRefused('url_fetch.output_url_reserved')
  const steps = values.steps === undefined ? undefined : readSteps(values, query)
  const [inBody, inQuery] = [word(values.targetFormat), word(query)]
  const targetFormat = inBody ?? inQuery
  const [first, ...furtherSteps] = steps ?? []
  const wanted = first ?? (targetFormat && { targetFormat, options: readOptions(values.options) })
  if (!wanted) throw new RequestError('convert.missing_target_format')
  if (inQuery !== undefined && inQuery !== targetFormat)
    throw new RequestError('request.invalid_parameter', message('request.repeated', { name: 'targetFormat' }))
  return {
    ...wanted,
    furtherSteps,
    sourceFormat: word(values.sourceFormat),
    // Anything but a string is not a URL.
    inputUrl: values.inputUrl === undefined || typeof values.inputUrl === 'string' ? values.inputUrl : '',
    webhook: readWebhook(values),
  }
}

/** Longer than any format key. Error messages repeat the word, so it has to be bounded. */
const WORD_LENGTH = 100

const word = (value: unknown) =>
  typeof value === 'string' ? value.trim().slice(0, WORD_LENGTH) || undefined : undefined

/** How many conversions one job may be. */
export const MOST_STEPS = 5

/** The conversions of a job in their order, which stand for the one that `targetFormat` and `options` name. */
function readSteps(values: Record<string, unknown>, query: string | undefined): RequestedStep[] {
  const steps = typeof values.steps === 'string' ? parseJson(values.steps) : values.steps
  const isOther = [values.targetFormat, values.options, query].some(value => value !== undefined)
  const read = Array.isArray(steps) && !isOther ? steps.map(readStep) : []
  const known = read.filter(step => step !== undefined)
  if (known.length !== read.length || known.length === 0 || known.length > MOST_STEPS)
    throw new RequestError('convert.invalid_options', message('convert.not_steps', { most: MOST_STEPS }))
  return known
}

function readStep(step: unknown): RequestedStep | undefined {
  if (typeof step !== 'object' || step === null) return undefined
  const { targetFormat: target, options, ...others } = step as Record<string, unknown>
  const targetFormat = word(target)
  if (targetFormat === undefined || Object.keys(others).length > 0) return undefined
  return { targetFormat, options: readOptions(options) }
}

function readOptions(value: unknown): Options {
  const parsed = typeof value === 'string' && value.trim() !== '' ? parseJson(value) : (value ?? {})
  if (parsed === '') return {}
  if (parsed === undefined)
    throw new RequestError('convert.invalid_options', message('convert.options_not_json'))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new RequestError('convert.invalid_options', message('convert.options_not_an_object'))
  }
  return parsed as Options
}

/** Undefined for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
