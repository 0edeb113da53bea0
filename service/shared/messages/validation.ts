import { translated } from './languages.ts'
import { type Message, message } from './message.ts'

/** A validation error of JSON Schema, in the shape of Ajv's errors. */
export interface SchemaError {
  keyword: string
  /** JSON Pointer to the value. */
  instancePath: string
  params: Record<string, unknown>
  /** The schema of the value, if Ajv is `verbose`. */
  parentSchema?: Record<string, unknown> | undefined
}

/**
 * What is wrong with a value, for people.
 * @param root name of the whole value, put before the path; may be empty
 */
export function validationMessage(
  { keyword, instancePath, params, parentSchema }: SchemaError,
  root = '',
): Message {
  const named = params.additionalProperty ?? params.missingProperty
  const steps = [root, ...pointerSteps(instancePath), ...(named === undefined ? [] : [String(named)])]
  const path = steps.filter(Boolean).join('.')
  if (path === '') return message('validation.invalid_body')
  if (Object.hasOwn(LIMITS, keyword))
    return message(LIMITS[keyword as keyof typeof LIMITS], { path, limit: Number(params.limit) })
  switch (keyword) {
    case 'additionalProperties':
      return message(root === 'options' ? 'validation.unknown_option' : 'validation.unknown_property', {
        path,
      })
    case 'required':
      return message('validation.required', { path })
    case 'type':
      return message('validation.type', { path, type: String([params.type].flat()[0]) })
    case 'enum':
      return message('validation.choice', { path, choices: [params.allowedValues].flat().join(', ') })
    case 'pattern': {
      const { description, 'x-example': example } = parentSchema ?? {}
      if (typeof description !== 'string' || typeof example !== 'string') break
      return message('validation.pattern', { path, description: translated(description), example })
    }
  }
  return message('validation.invalid', { path })
}

/** What is said where a limit is not kept, by its keyword. */
const LIMITS = {
  minimum: 'validation.minimum',
  maximum: 'validation.maximum',
  exclusiveMinimum: 'validation.above',
  exclusiveMaximum: 'validation.below',
  minLength: 'validation.too_short',
  maxLength: 'validation.too_long',
  minItems: 'validation.too_few',
  maxItems: 'validation.too_many',
} as const

/** The names in a JSON Pointer; see RFC 6901, section 4. */
const pointerSteps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
