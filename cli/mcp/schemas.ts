import { fromJsonSchema } from '@modelcontextprotocol/server'
import { problemsOf } from '../check.ts'

export const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 4096, description })
export const path = text('Path of the file, in an allowed folder.')
export const outputFolder = text(
  'Folder for the result, relative to that of the file and below it; created if need be.',
)

/** Says what is wrong with arguments by the name of the property. */
const validator = {
  getValidator: <T>(schema: object) => {
    const problemOf = problemsOf(schema)
    return (data: unknown) => {
      const errorMessage = problemOf(data)
      return errorMessage === undefined
        ? { valid: true as const, data: data as T, errorMessage }
        : { valid: false as const, data: undefined, errorMessage }
    }
  },
}

/** Of which argument a tool makes what: JSON Schema for the caller, and the type that it checks. */
export const schemaOf = <Arguments>(properties: object, required: readonly (keyof Arguments & string)[]) =>
  fromJsonSchema<Arguments>(
    { type: 'object', properties, required, additionalProperties: false } as never,
    validator,
  )

/** What a tool answers, beside the same as text; later versions may answer more. */
export const answers = (properties: object, required: readonly string[] = [], others: object = {}) =>
  fromJsonSchema<object>(
    { type: 'object', properties, required, additionalProperties: others } as never,
    validator,
  )

export const word = { type: 'string' }
export const words = { type: 'array', items: word }
export const saved = {
  path: { type: 'string', description: 'Path of the result; of the first, if there are several.' },
  paths: { ...words, description: 'All paths, if the conversion made several files.' },
  bytes: { type: 'integer' },
  contentType: word,
  fileCount: { type: 'integer' },
  warnings: { ...words, description: 'What was lost or missed.' },
  credits: { type: 'number' },
}
export const status = {
  job: { type: 'string', description: 'Id of the job.' },
  status: { enum: ['Queued', 'Running', 'Succeeded', 'Failed', 'Canceled'] },
}
export const read = {
  text: { type: 'string', description: 'The text, or its beginning; absent if it was saved.' },
  isWhole: { type: 'boolean' },
}
