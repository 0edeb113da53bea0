/**
 * What a form needs from a JSON Schema of options: defaults, relevant fields, values that differ from the defaults, and
 * validation. It is independent of converters.
 */
import { Validator } from '@cfworker/json-schema'
import type { OptionField, OptionGroup, OptionProperties } from '../../service/convert/catalogue/options.ts'
import { useUsual, usualMetadata } from './usual.ts'

export type Values = Record<string, unknown>

export interface FieldProblem {
  keyword: string
  field: OptionField
}

/** Problems by the dotted path of their field, such as `resize.value`. */
export type Problems = Record<string, FieldProblem>

/** Props of a control for a whole group. */
export interface GroupControlProps {
  group: OptionGroup
  values: Values
  facts: Facts
  problems: Problems
  path: readonly string[]
  onChange: (path: readonly string[], value: unknown) => void
}

export const isGroup = (schema: OptionField | OptionGroup): schema is OptionGroup => schema.type === 'object'

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values of a group. */
export const inside = (values: Values, key: string): Values => {
  const value = values[key]
  return isRecord(value) ? value : {}
}

/** The value of a field: the person's, or what another one of theirs implies (`x-implied`); undefined while the default applies. */
const givenValue = (field: OptionField, key: string, values: Values): unknown =>
  values[key] ?? impliedBy(field, values)

function impliedBy(field: OptionField, values: Values): unknown {
  const [sibling, implied] =
    Object.entries(field['x-implied'] ?? {}).find(([name]) => values[name] !== undefined) ?? []
  return isRecord(implied) ? implied[String(values[sibling ?? ''])] : implied
}

/** What is usual here in place of the schema's default, where the field has such a value (`x-usual`). */
const usualValue = (field: OptionField): unknown =>
  field['x-usual'] && (useUsual.getState().metadata ?? field['x-usual'])

/** What stays of a picture's metadata with these options. */
export const keptMetadata = ({ metadata = {} }: { metadata?: Values }): unknown =>
  metadata.keep ?? (metadata.strip === undefined ? usualMetadata() : metadata.strip ? 'none' : 'all')

/** Options of an earlier conversion without what was sent because it is usual here. */
export function withoutUsual(values: Values): Values {
  if (keptMetadata(values) !== keptMetadata({})) return values
  const { metadata, ...others } = values
  const { keep: _, ...left } = isRecord(metadata) ? metadata : {}
  return Object.keys(left).length > 0 ? { ...others, metadata: left } : others
}

/** The value of a field: the person's, or what is usual here; undefined while the schema's default applies. */
export const chosenValue = (field: OptionField, key: string, values: Values): unknown =>
  givenValue(field, key, values) ?? usualValue(field)

/** The value of a field: the person's, what is usual here, or the schema's default. */
export const shownValue = (field: OptionField, key: string, values: Values): unknown =>
  chosenValue(field, key, values) ?? field.default

/** What a value of a field is called. */
export const enumLabel = (field: OptionField, value: string): string =>
  field['x-labels']?.[field.enum?.indexOf(value) ?? -1] ?? value

/** Whether a field is relevant given its siblings (`x-when`). A hidden sibling is ignored. */
export function isShown(field: OptionField, siblings: OptionProperties, values: Values): boolean {
  return Object.entries(field['x-when'] ?? {}).every(([key, wanted]) => {
    const sibling = siblings[key]
    if (!sibling || isGroup(sibling)) return true
    if (!isShown(sibling, siblings, values)) return false
    return (wanted as unknown[]).includes(shownValue(sibling, key, values))
  })
}

/** Known facts about the files, by the names that `x-requires` uses. */
export type Facts = Readonly<Record<string, number | boolean | undefined>>

const applies = (schema: OptionField | OptionGroup, facts: Facts): boolean =>
  Object.entries(schema['x-requires'] ?? {}).every(([name, wanted]) => {
    const found = facts[name]
    if (found === undefined) return true
    return typeof wanted === 'number' ? Number(found) >= wanted : found === wanted
  })

/** The options relevant for files with these facts; empty groups are removed. */
export function fitting(properties: OptionProperties, facts: Facts): OptionProperties {
  const fit: OptionProperties = {}
  for (const [key, schema] of Object.entries(properties)) {
    if (!applies(schema, facts)) continue
    if (!isGroup(schema)) {
      const left = settled(schema, properties, facts)
      if (left) fit[key] = left
    } else {
      const inner = fitting(schema.properties, facts)
      if (Object.keys(inner).length > 0) fit[key] = { ...schema, properties: inner }
    }
  }
  return fit
}

/**
 * A field without the conditions that siblings fulfil which do not apply, and so have their defaults; null if one of them
 * does not.
 */
function settled(field: OptionField, siblings: OptionProperties, facts: Facts): OptionField | null {
  const open: NonNullable<OptionField['x-when']> = {}
  for (const [key, wanted] of Object.entries(field['x-when'] ?? {})) {
    const sibling = siblings[key]
    if (!sibling || isGroup(sibling) || applies(sibling, facts)) open[key] = wanted
    else if (!(wanted as unknown[]).includes(sibling.default)) return null
  }
  return field['x-when'] ? { ...field, 'x-when': open } : field
}

/** A copy of `values` with the value at `path` replaced; `undefined` removes it. */
export function withValue(values: Values, path: readonly string[], value: unknown): Values {
  const [key, ...rest] = path
  if (key === undefined) return values
  const copy = { ...values }
  if (rest.length > 0) copy[key] = withValue(inside(values, key), rest, value)
  else if (value === undefined) delete copy[key]
  else copy[key] = value
  return copy
}

/** The value at a dotted path, or `undefined`. */
export const valueAt = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), values)

/** The default at a dotted path of the schema, or `undefined`. */
export function defaultAt(properties: OptionProperties, path: string): unknown {
  const [key = '', ...rest] = path.split('.')
  const schema = properties[key]
  if (!schema) return undefined
  return isGroup(schema) ? defaultAt(schema.properties, rest.join('.')) : schema.default
}

/** What a person has changed: visible values that differ from the defaults. */
export function changedValues(properties: OptionProperties, values: Values): Values {
  const changed: Values = {}
  for (const [key, schema] of Object.entries(properties)) {
    if (isGroup(schema)) {
      const nested = changedValues(schema.properties, inside(values, key))
      if (Object.keys(nested).length > 0) changed[key] = nested
    } else {
      const value = values[key]
      const isUsual = value === (usualValue(schema) ?? schema.default)
      if (value === undefined || isUsual || !isShown(schema, properties, values)) continue
      changed[key] = value
    }
  }
  return changed
}

/** The values to send: what a person has changed, and what is usual here. */
export function sentValues(properties: OptionProperties, values: Values): Values {
  const sent = changedValues(properties, values)
  for (const [key, schema] of Object.entries(properties)) {
    const value = isGroup(schema)
      ? sentValues(schema.properties, inside(values, key))
      : (values[key] ?? (givenValue(schema, key, values) === undefined ? usualValue(schema) : undefined))
    if (isGroup(schema) ? Object.keys(value as Values).length > 0 : schema['x-usual'] && value !== undefined)
      sent[key] = value
  }
  return sent
}

function fieldAt(properties: OptionProperties, path: readonly string[]): OptionField | undefined {
  const [key = '', ...rest] = path
  const schema = properties[key]
  if (!schema) return undefined
  if (isGroup(schema)) return fieldAt(schema.properties, rest)
  return rest.length === 0 ? schema : undefined
}

/**
 * A number that is only shown for a choice from a list (`custom`) is that choice's value, so it is required, or one of several;
 * one that is shown for the list's default too may be left empty.
 */
function missingNumbers(properties: OptionProperties, values: Values, prefix = ''): Problems {
  const problems: Problems = {}
  // Numbers of the same choice, of which one is enough.
  const empty = new Map<string, Problems>()
  const given = new Set<string>()
  for (const [key, schema] of Object.entries(properties)) {
    const path = `${prefix}${key}`
    if (isGroup(schema)) {
      Object.assign(problems, missingNumbers(schema.properties, inside(values, key), `${path}.`))
      continue
    }
    const numeric = schema.type === 'integer' || schema.type === 'number'
    const byChoice = Object.entries(schema['x-when'] ?? {}).some(
      ([option, wanted]) => typeof wanted[0] === 'string' && !isDefault(properties[option], wanted),
    )
    if (!numeric || !byChoice || !isShown(schema, properties, values)) continue
    const when = JSON.stringify(schema['x-when'])
    if (shownValue(schema, key, values) !== undefined) given.add(when)
    else empty.set(when, { ...empty.get(when), [path]: { keyword: 'required', field: schema } })
  }
  return Object.assign(problems, ...[...empty].map(([when, each]) => (given.has(when) ? {} : each)))
}

const isDefault = (schema: OptionField | OptionGroup | undefined, wanted: readonly unknown[]): boolean =>
  schema !== undefined && !isGroup(schema) && wanted.includes(schema.default)

/**
 * Validates what would be sent. It uses an interpreting validator, because the page's content security policy forbids
 * those that compile a schema to code.
 */
export function findProblems(properties: OptionProperties, values: Values): Problems {
  const problems = missingNumbers(properties, values)
  const schema = { type: 'object' as const, properties, additionalProperties: false }
  const validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], '2020-12', false)
  for (const error of validator.validate(changedValues(properties, values)).errors) {
    const path = error.instanceLocation.replace(/^#\/?/, '').split('/')
    const field = fieldAt(properties, path)
    if (field) problems[path.join('.')] ??= { keyword: error.keyword, field }
  }
  return problems
}

/** The option whose values are also offered in words, and its path; undefined if there is none. */
export function fieldInWords(
  properties: OptionProperties,
  path: readonly string[] = [],
): { path: readonly string[]; values: (number | string)[]; unit: string | undefined } | undefined {
  for (const [key, schema] of Object.entries(properties)) {
    const here = [...path, key]
    const words = isGroup(schema) ? undefined : schema['x-words']
    const found = isGroup(schema)
      ? fieldInWords(schema.properties, here)
      : words && { path: here, values: Object.values(words), unit: schema['x-unit'] }
    if (found) return found
  }
  return undefined
}

/** Number of options, including those in groups. */
export const countFields = (properties: OptionProperties): number =>
  Object.values(properties).reduce(
    (count, schema) => count + (isGroup(schema) ? countFields(schema.properties) : 1),
    0,
  )
