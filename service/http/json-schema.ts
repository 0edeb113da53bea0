/**
 * Plain JSON Schema in few words, for the shapes of requests and answers. A schema library would do the same for
 * 13 MB of memory in a service that is to rest small.
 */
export interface JsonSchema {
  type?: string | readonly string[]
  [keyword: string]: unknown
}

type Extra = Record<string, unknown>

export const string = (extra: Extra = {}): JsonSchema => ({ type: 'string', ...extra })
export const number = (extra: Extra = {}): JsonSchema => ({ type: 'number', ...extra })
export const integer = (extra: Extra = {}): JsonSchema => ({ type: 'integer', ...extra })
export const boolean = (): JsonSchema => ({ type: 'boolean' })
export const nothing = (): JsonSchema => ({ type: 'null' })
export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })
export const list = (items: JsonSchema, extra: Extra = {}): JsonSchema => ({ type: 'array', items, ...extra })
export const map = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })

/** The same, or null. */
export const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema.type === 'string' && schema.type !== 'object'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, nothing()] }

/** An object of these properties; those whose name ends in `?` may be absent. */
export function object(properties: Record<string, JsonSchema>, extra: Extra = {}): JsonSchema {
  const named = Object.entries(properties)
  const required = named.map(([name]) => name).filter(name => !name.endsWith('?'))
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    ...(required.length > 0 ? { required } : {}),
    ...extra,
  }
}
