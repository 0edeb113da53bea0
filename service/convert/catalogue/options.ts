/**
 * Building blocks of option schemas: JSON Schema draft 2020-12, plus annotations for forms. One declaration provides
 * validation, defaults, the form, and the type that a work gets.
 */
import type {
  Static,
  TBoolean,
  TEnum,
  TInteger,
  TNumber,
  TObject,
  TOptional,
  TSchema,
  TString,
} from 'typebox'
import type { FileFacts } from '../../shared/file-facts.ts'

type Implied = string | boolean | Record<string, string | boolean>

export interface OptionField extends Shown {
  type: 'boolean' | 'integer' | 'number' | 'string'
  title: string
  description?: string
  default?: boolean | number | string
  enum?: string[]
  /** Labels for the values of `enum`, in the same order. */
  'x-labels'?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  /** Hidden while it is typed, and never shown again. */
  'x-secret'?: true
  /** Unit shown after the value, such as `px` or `kbit/s`. */
  'x-unit'?: string
  /** Values that many people choose. */
  'x-presets'?: number[]
  /** Sibling values required for this field to matter; otherwise a form hides it. */
  'x-when'?: Record<string, (boolean | string)[]>
  /**
   * Values that replace the default if a sibling is given: with `{ value: 'custom' }`, this field is `custom` once
   * `value` is set. A switch whose siblings matter only while it is on is implied by each of them. Values may follow from those of
   * the sibling: `{ strip: { true: 'none', false: 'all' } }`.
   */
  'x-implied'?: Record<string, Implied>
  /** What the window chooses in place of the default, unless the account's settings say otherwise. */
  'x-usual'?: string
  /** Not shown in forms, since another option replaces it. */
  'x-replaced'?: true
  /** A control that suits it better than the default for its type. */
  'x-control'?: 'slider' | 'colour' | 'time' | 'turn' | 'mirror' | 'picture' | 'cuts'
  /** Affects the size of the result, so the expected size is shown beside it. */
  'x-affects-size'?: true
  /** Values for people who think in words, of which the balanced one is usual. */
  'x-words'?: Record<'small' | 'balanced' | 'best', number | string>
  /** An example value, such as `1-3,7`. */
  'x-example'?: string
}

/**
 * Facts that a file must have for an option to matter, by names of `FileFacts`: a number is a minimum, a boolean must
 * match. An unknown fact hides nothing.
 */
export type Needs = Partial<Record<keyof FileFacts, number | boolean>>

/** Annotations that options and groups share. */
interface Shown {
  /** How exactly, for experts: shown on request. */
  'x-note'?: string
  /** Position among the options that are used most; the others are folded away. */
  'x-order'?: number
  'x-requires'?: Needs
  /** Applies to a single file, such as a page range: it is not kept for the next one. */
  'x-per-file'?: true
}

export interface OptionGroup extends Shown {
  type: 'object'
  /** A control for the whole group: `size` for scaling a picture, `crop` for a part of it, `trim` for one of a media file. */
  'x-control'?: 'size' | 'trim' | 'crop'
  title: string
  description?: string
  properties: OptionProperties
  additionalProperties: false
}

export type OptionProperties = Record<string, OptionField | OptionGroup>

/** The type of options once defaults are filled in: a field without a default may be absent. */
export type OptionsOf<Properties extends OptionProperties> = Properties extends OptionProperties
  ? Static<TObject<Properties>>
  : never

type Extra = Omit<OptionField, 'type' | 'title' | 'enum' | 'x-labels' | 'default'>

interface Builder<Schema extends TSchema, Value> {
  (title: string, extra: Extra & { default: Value }): OptionField & Schema
  (title: string, extra?: Extra): OptionField & TOptional<Schema>
}

const builder = <Schema extends TSchema, Value>(type: OptionField['type']) =>
  ((title: string, extra: Extra = {}): OptionField => ({ type, title, ...extra })) as Builder<Schema, Value>

export const flag = builder<TBoolean, boolean>('boolean')
export const integer = builder<TInteger, number>('integer')
export const number = builder<TNumber, number>('number')
export const text = builder<TString, string>('string')

type Choice<Key extends string> = Omit<OptionField, 'enum'> & TEnum<Key[]>

/** One of several words; `labels` maps each allowed value to its label. */
export const choice = <Key extends string>(
  title: string,
  labels: Record<Key, string>,
  extra: Extra & { default: NoInfer<Key> },
) =>
  ({
    type: 'string',
    title,
    enum: Object.keys(labels),
    'x-labels': Object.values(labels),
    ...extra,
  }) as OptionField as Choice<Key>

/** For properties that differ by target, one group for each of them. */
type Group<Properties> = Properties extends OptionProperties
  ? Omit<OptionGroup, 'properties'> & TObject<Properties>
  : never

/** A group of options under one key; it exists even if nothing in it was given. */
export const group = <Properties extends OptionProperties>(
  title: string,
  properties: Properties,
  extra: Omit<OptionGroup, 'type' | 'title' | 'properties' | 'additionalProperties'> = {},
) =>
  ({
    type: 'object',
    title,
    ...extra,
    properties,
    additionalProperties: false,
  }) as OptionGroup as Group<Properties>

type Offered = Record<string, OptionField | OptionGroup | false | undefined>

type Optional<Properties extends Offered> = {
  [Key in keyof Properties]: TOptional<Extract<Properties[Key], OptionField | OptionGroup>>
}

/**
 * Options that only some of a work's conversions have (false or undefined for the others), so the work sees each as optional.
 */
export const only = <Properties extends Offered>(properties: Properties) =>
  Object.fromEntries(Object.entries(properties).filter(([, schema]) => schema)) as Optional<Properties>

/** The value of an option that the task's target always has, although other targets of the same work may not. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('an option of this target is missing')
  return value
}

/** What the values of siblings imply for a field (`x-implied`); undefined if nothing. */
function impliedBy(field: OptionField, siblings: Readonly<Options>): string | boolean | undefined {
  for (const [key, implied] of Object.entries(field['x-implied'] ?? {}))
    if (siblings[key] !== undefined)
      return typeof implied === 'object' ? implied[String(siblings[key])] : implied
  return undefined
}

/** Fills in the defaults of every field missing in `value`, including in groups. */
export function withDefaults(
  properties: OptionProperties,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...value }
  for (const [key, schema] of Object.entries(properties)) {
    if (schema.type === 'object') {
      filled[key] = withDefaults(schema.properties, (value[key] ?? {}) as Record<string, unknown>)
    } else if (filled[key] === undefined && schema.default !== undefined) {
      filled[key] = impliedBy(schema, value) ?? schema.default
    }
  }
  return filled
}

/** Whether nothing was chosen: all options are as declared, apart from some, by name in any group. */
export const isDefault = (
  properties: OptionProperties,
  value: Readonly<Record<string, unknown>>,
  apart: readonly string[] = [],
): boolean =>
  Object.entries(properties).every(([name, schema]) => {
    const given = value[name]
    if (given === undefined || apart.includes(name)) return true
    if (schema.type === 'object') return isDefault(schema.properties, given as Options, apart)
    return given === schema.default
  })

type Options = Record<string, unknown>

/** Options without those that a keyword of the schema, or of their group's, marks. */
function without(
  isLeftOut: (schema: OptionField | OptionGroup) => boolean,
  options: Readonly<Options>,
  properties: OptionProperties,
): Options {
  const kept: Options = {}
  for (const [key, value] of Object.entries(options)) {
    const schema = properties[key]
    if (schema && isLeftOut(schema)) continue
    kept[key] = schema?.type === 'object' ? without(isLeftOut, value as Options, schema.properties) : value
  }
  return kept
}

/** Options without the secret ones, safe to show. */
export const withoutSecrets = (options: Readonly<Options>, properties: OptionProperties): Options =>
  without(schema => schema.type !== 'object' && schema['x-secret'] === true, options, properties)

/** Options without those that apply to a single file, usable for other files. */
export const withoutOnce = (options: Readonly<Options>, properties: OptionProperties): Options =>
  without(schema => schema['x-per-file'] === true, options, properties)
