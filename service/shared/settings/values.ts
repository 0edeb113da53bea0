import { isAddressOrRange } from '../address-ranges.ts'
import { type BlobPlace, readBlobPlace } from '../blob-place.ts'

/** Readers of what a setting or flag may hold. All throw a SettingError that names the setting. */

/** An invalid setting, described in one sentence that names it. */
export class SettingError extends Error {}

/** What a host does: everything, answer requests without running jobs, or run jobs without a port. */
export type Role = 'all' | 'api' | 'worker'

/** Largest port there is. */
export const LAST_PORT = 65_535
/** Largest number of a setting; above it, sums are no longer exact. */
export const MOST = 1e15

/** The number in a text of plain digits; undefined for anything else. */
const wholeNumber = (text: string): number | undefined => (/^\d{1,16}$/.test(text) ? Number(text) : undefined)

/** An integer within the bounds. */
export function readWhole(name: string, text: string, least: number, most: number): number {
  const value = wholeNumber(text)
  if (value !== undefined && value >= least && value <= most) return value
  throw new SettingError(
    most === MOST
      ? `${name} takes a whole number of ${least} or more, not "${text}".`
      : `${name} takes a whole number from ${least} to ${most}, not "${text}".`,
  )
}

/** A port; 0 means any. */
export const readPort = (name: string, text: string): number => readWhole(name, text, 0, LAST_PORT)

/** One of some words. */
export function readOneOf<Value>(name: string, text: string, values: ReadonlyMap<string, Value>): Value {
  const value = values.get(text)
  if (value !== undefined) return value
  throw new SettingError(`${name} takes one of ${[...values.keys()].join(', ')}, not "${text}".`)
}

const roles = new Map<string, Role>([
  ['all', 'all'],
  ['api', 'api'],
  ['worker', 'worker'],
])

export const readRole = (name: string, text: string): Role => readOneOf(name, text, roles)

/** A folder or an S3 bucket. */
export function readPlace(name: string, text: string): BlobPlace {
  const place = readBlobPlace(text)
  if (place) return place
  throw new SettingError(
    `${name} takes the path of a folder or s3://bucket?endpoint=https://…&region=…&style=path, not "${text}".`,
  )
}

/** Reads a text of one form; errors repeat it unless it may be a secret. */
const formOf =
  (wanted: string, isRight: (text: string) => boolean, isSecret = false) =>
  (name: string, text: string): string => {
    if (isRight(text)) return text
    throw new SettingError(`${name} takes ${wanted}${isSecret ? '' : `, not "${text}"`}.`)
  }

/** The URL of a PostgreSQL database, which may contain a password. */
export const readDatabaseUrl = formOf(
  'an address such as postgres://user:password@host/database',
  text => /^postgres(ql)?:\/\/./.test(text),
  true,
)

/** 32 bytes in Base64. */
export const readSecretsKey = formOf(
  '32 bytes in Base64, such as "openssl rand -base64 32" prints',
  text => /^[\w+/-]{43}=?$/.test(text),
  true,
)

/** A key that nobody guesses. */
export const readAdminKey = formOf(
  '32 characters or more, such as "openssl rand -base64 32" prints',
  text => /^[\x21-\x7e]{32,}$/.test(text),
  true,
)

/** The address of a web server, without a query. */
const addressLike = (example: string, protocol: RegExp, mayNameUser = false) =>
  formOf(`an address such as ${example}`, text => {
    const url = URL.parse(text)
    return !!url && protocol.test(url.protocol) && !url.search && !url.hash && (mayNameUser || !url.username)
  })

/** The address of a collector of traces. */
export const readCollector = addressLike('http://collector:4318', /^https?:$/)

/** The address of a provider of identities. */
export const readIssuer = addressLike('https://login.example', /^https:$/)

const readWebServer = addressLike('https://convert.example', /^https?:$/, true)

/** The URL of a web server, without a trailing slash. */
export const readPublicUrl = (name: string, text: string): string =>
  new URL(readWebServer(name, text)).href.replace(/\/+$/, '')

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)

/** Reads words of one form that are separated by commas. */
const listOf =
  (wanted: string, isRight: (word: string) => boolean) =>
  (name: string, text: string): readonly string[] => {
    const words = wordsOf(text)
    const wrong = words.find(word => !isRight(word))
    if (wrong === undefined) return words
    throw new SettingError(`${name} takes ${wanted} separated by commas, and "${wrong}" is none.`)
  }

/** IP addresses and CIDR ranges. */
export const readRanges = listOf('addresses and ranges such as 10.0.0.0/8', isAddressOrRange)

/** Host names, each with or without a port. */
export const readHostNames = listOf('names of hosts', word =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(word),
)

export const readOrigins = listOf('origins such as app://obsidian.md', word =>
  /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/i.test(word),
)

/** The services whose protocols are spoken, too. */
export const GATES = ['gotenberg', 'tika', 'openai'] as const
export type Gate = (typeof GATES)[number]

/** Some of them separated by commas, or none of them. */
export function readGates(name: string, text: string): readonly Gate[] {
  const words = text === 'none' ? [] : wordsOf(text)
  const found = GATES.filter(gate => words.includes(gate))
  if (found.length < words.length)
    throw new SettingError(`${name} takes ${GATES.join(', ')}, or none, and "${text}" is something else.`)
  return found
}
