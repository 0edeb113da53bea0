import { boolean, integer, nullable, object, string } from './json-schema.ts'

/** Shapes that the contract's routes and the page's routes share. */

export const ErrorResponse = object(
  { error: string(), detail: nullable(string()), 'isRetryable?': nullable(boolean()) },
  {
    additionalProperties: true,
    description: 'Every refusal: a machine-readable code and what to do about it.',
  },
)

/** A page of a list: entries older than `before`, at most `limit`. */
export const PageQuery = object({
  'before?': integer({ minimum: 0 }),
  'limit?': integer({ minimum: 1, maximum: 200 }),
})
