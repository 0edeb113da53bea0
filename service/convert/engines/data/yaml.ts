/** YAML 1.2 (https://yaml.org/spec/1.2.2/); numbers keep all of their digits, and dates are text. */
import { Document, parseAllDocuments, type ScalarTag, type Tags } from 'yaml'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { DataError, Numeral, numberOf, type Value } from './values.ts'

/** `007` is text to those who write it, though YAML reads a number. */
const exact = (text: string): unknown => {
  if (/^[-+]?0\d/.test(text)) return text
  const plain = text.replace(/^\+/, '')
  const value = numberOf(plain) ?? Number(plain)
  return typeof value === 'number' && !Number.isFinite(value) ? text : value
}

const readTags = (tags: Tags): Tags =>
  tags.map(tag =>
    typeof tag === 'object' && /:(?:int|float)$/.test(tag.tag)
      ? { ...(tag as ScalarTag), resolve: exact }
      : tag,
  )

const numeralTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: value => value instanceof Numeral,
  resolve: text => text,
  stringify: ({ value }) => (value as Numeral).text,
}

/**
 * Several documents in a file become a list.
 * @throws DataError, JobFailure too_large
 */
export function readYaml(text: string): Value {
  const documents = parseAllDocuments(text, {
    customTags: readTags,
    merge: true,
    uniqueKeys: false,
    prettyErrors: true,
    logLevel: 'error',
  })
  if ('empty' in documents) return null
  const values = documents.map(document => {
    const [error] = document.errors
    if (error) throw new DataError(error.message, error.linePos?.[0].line)
    try {
      return normal(document.toJS({ mapAsMap: true, maxAliasCount: -1 }), { left: MOST_VALUES })
    } catch (cause) {
      // Of aliases that lead nowhere.
      throw cause instanceof ReferenceError ? new DataError(cause.message) : cause
    }
  })
  return values.length === 1 ? values[0]! : values
}

/** Most values of a document, where every use of an anchor repeats its values. */
const MOST_VALUES = 10_000_000

/**
 * Only what JSON knows, with text as keys.
 * @throws JobFailure too_large of anchors within anchors that multiply
 */
function normal(value: unknown, room: { left: number }): Value {
  if (room.left-- === 0)
    throw new JobFailure('jobs.too_large', message('data.multiplied', { values: MOST_VALUES }))
  const inner = (each: unknown) => normal(each, room)
  if (Array.isArray(value)) return value.map(inner)
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [keyOf(key), inner(each)]))
  if (value instanceof Set) return [...value].map(inner)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Numeral || value === null || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value ?? '')
}

const keyOf = (key: unknown) =>
  key instanceof Numeral
    ? key.text
    : key === null
      ? ''
      : typeof key === 'object'
        ? JSON.stringify(key)
        : String(key)

/** Items of a list that are written at once, since the tree of a million needs gigabytes. */
const ITEMS = 1000

/** Text that older readers take for something else, such as `no` or `2024-03-05`, is quoted. */
export function writeYaml(value: Value): string {
  if (!Array.isArray(value) || value.length <= ITEMS) return written(value)
  const parts = Array.from({ length: Math.ceil(value.length / ITEMS) }, (_, part) =>
    written(value.slice(part * ITEMS, (part + 1) * ITEMS)),
  )
  return parts.join('')
}

function written(value: Value): string {
  const document = new Document(value, {
    compat: 'yaml-1.1',
    customTags: tags => [numeralTag, ...tags],
    aliasDuplicateObjects: false,
  })
  return document.toString({ lineWidth: 0 })
}
