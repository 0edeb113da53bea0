/** Building blocks of option schemas: JSON Schema draft 2020-12, plus two annotations for forms. */

export interface OptionField {
  type: 'boolean' | 'integer' | 'number' | 'string'
  title: string
  description?: string
  default?: boolean | number | string
  enum?: string[]
  /** Words for the values of `enum`, in the same order. */
  'x-labels'?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  /** Unit shown behind the value, such as `px` or `kbit/s`. */
  'x-unit'?: string
  /** Siblings and the values they must have for this field to matter; a form hides it otherwise. */
  'x-when'?: Record<string, (boolean | string)[]>
}

export interface OptionGroup {
  type: 'object'
  title: string
  description?: string
  properties: OptionProperties
  additionalProperties: false
}

export type OptionProperties = Record<string, OptionField | OptionGroup>

type Extra = Omit<OptionField, 'type' | 'title' | 'enum' | 'x-labels'>

/** A group of options under one key. */
export const group = (title: string, properties: OptionProperties, description?: string): OptionGroup => ({
  type: 'object',
  title,
  ...(description ? { description } : {}),
  properties,
  additionalProperties: false,
})

export const flag = (title: string, extra: Extra = {}): OptionField => ({ type: 'boolean', title, ...extra })
export const integer = (title: string, extra: Extra = {}): OptionField => ({
  type: 'integer',
  title,
  ...extra,
})
export const number = (title: string, extra: Extra = {}): OptionField => ({ type: 'number', title, ...extra })
export const text = (title: string, extra: Extra = {}): OptionField => ({ type: 'string', title, ...extra })

/** One of several words; `labels` maps each allowed value to what a person reads. */
export const choice = (title: string, labels: Record<string, string>, extra: Extra = {}): OptionField => ({
  type: 'string',
  title,
  enum: Object.keys(labels),
  'x-labels': Object.values(labels),
  ...extra,
})

/** Fills in the defaults of every field that `value` leaves out, groups included. */
export function withDefaults(
  properties: OptionProperties,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...value }
  for (const [key, schema] of Object.entries(properties)) {
    if (schema.type === 'object') {
      filled[key] = withDefaults(schema.properties, (value[key] ?? {}) as Record<string, unknown>)
    } else if (filled[key] === undefined && schema.default !== undefined) {
      filled[key] = schema.default
    }
  }
  return filled
}
