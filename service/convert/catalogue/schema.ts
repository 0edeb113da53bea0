import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { jsonSchemas } from '../../shared/json-schema.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { validationMessage } from '../../shared/messages/validation.ts'
import type { Catalogue, Edge } from './catalogue.ts'
import { type OptionProperties, withDefaults } from './options.ts'
import type { Options } from './task.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** JSON Schema (draft 2020-12) of the options of one conversion. */
export function schemaOf(edge: Edge): Record<string, unknown> {
  const { converter, targetKey, preset } = edge
  return {
    $schema: DRAFT,
    $comment: `${edge.source}-to-${targetKey} ${converter.job}`,
    type: 'object',
    properties: presetDefaults(converter.options, preset),
    additionalProperties: false,
  }
}

/** The options with a preset alias's choices as their defaults. */
function presetDefaults(properties: OptionProperties, preset: Options): OptionProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const value = preset[key]
      if (value === undefined) return [key, schema]
      if (schema.type !== 'object') return [key, { ...schema, default: value as string | number | boolean }]
      return [key, { ...schema, properties: presetDefaults(schema.properties, value as Options) }]
    }),
  )
}

/** One schema covering all options of all converters of the contract; where converters differ, any of their forms is valid. */
export function schemaOfAll(catalogue: Catalogue): Record<string, unknown> {
  return {
    $schema: DRAFT,
    $comment: 'every option of every conversion',
    type: 'object',
    properties: merge(
      catalogue.converters.filter(({ extension }) => !extension).map(({ options }) => options),
    ),
    additionalProperties: false,
  }
}

function merge(all: readonly OptionProperties[]): Record<string, unknown> {
  const shapes = new Map<string, OptionProperties[string][]>()
  for (const properties of all) {
    for (const [key, schema] of Object.entries(properties)) {
      const known = shapes.get(key) ?? []
      if (!known.some(other => JSON.stringify(other) === JSON.stringify(schema))) known.push(schema)
      shapes.set(key, known)
    }
  }
  return Object.fromEntries(
    [...shapes].map(([key, variants]) => {
      const groups = variants.flatMap(variant => (variant.type === 'object' ? [variant] : []))
      if (variants.length === 1) return [key, variants[0]]
      if (groups.length < variants.length) return [key, { anyOf: variants }]
      return [key, { ...groups[0], properties: merge(groups.map(group => group.properties)) }]
    }),
  )
}

let ajv: Ajv2020 | undefined
const validators = new Map<OptionProperties, ValidateFunction>()

/**
 * Checks options against a conversion's schema.
 * @returns the options with all defaults filled in, or a message naming the offending path
 */
export function validateOptions(edge: Edge, options: Options): { options: Options } | { problem: Message } {
  const properties = edge.converter.options
  let validate = validators.get(properties)
  if (!validate) {
    ajv ??= jsonSchemas({ verbose: true })
    validate = ajv.compile({ type: 'object', properties, additionalProperties: false })
    validators.set(properties, validate)
  }
  const given = worded(properties, options)
  if (!validate(given)) {
    const [error] = validate.errors ?? []
    return { problem: error ? validationMessage(error, 'options') : message('convert.invalid_options') }
  }
  return { options: withDefaults(properties, deepMerge(edge.preset, given)) }
}

/** Options in which a number stands as the word of a choice that means it, such as the 90 of a rotation. */
function worded(properties: OptionProperties, options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (schema?.type === 'object') return [key, isGroup(value) ? worded(schema.properties, value) : value]
      const isWord = typeof value === 'number' && schema?.enum?.includes(String(value))
      return [key, isWord ? String(value) : value]
    }),
  )
}

/** Merges `over` into `base`, group by group. */
function deepMerge(base: Options, over: Options): Options {
  const merged: Options = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isGroup(below) && isGroup(value) ? deepMerge(below, value) : value
  }
  return merged
}

const isGroup = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
