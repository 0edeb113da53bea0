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

/** The URL of a PostgreSQL database; it may contain a password, so errors do not repeat it. */
export function readDatabaseUrl(name: string, text: string): string {
  if (/^postgres(ql)?:\/\/./.test(text)) return text
  throw new SettingError(`${name} takes an address such as postgres://user:password@host/database.`)
}

/** 32 bytes in Base64. */
export function readSecretsKey(name: string, text: string): string {
  if (/^[\w+/-]{43}=?$/.test(text)) return text
  throw new SettingError(`${name} takes 32 bytes in Base64, such as "openssl rand -base64 32" prints.`)
}

/** A key that nobody guesses. */
export function readAdminKey(name: string, text: string): string {
  if (/^[\x21-\x7e]{32,}$/.test(text)) return text
  throw new SettingError(`${name} takes 32 characters or more, such as "openssl rand -base64 32" prints.`)
}

/** The URL of a web server, without a trailing slash. */
export function readPublicUrl(name: string, text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  throw new SettingError(`${name} takes an address such as https://convert.example, not "${text}".`)
}

/** The address of a collector of traces. */
export function readCollector(name: string, text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return text
  throw new SettingError(`${name} takes an address such as http://collector:4318, not "${text}".`)
}

/** The address of a provider of identities, without a query. */
export function readIssuer(name: string, text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && !url.search && !url.hash && !url.username) return text
  throw new SettingError(`${name} takes an address such as https://login.example, not "${text}".`)
}

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)

/** IP addresses and CIDR ranges separated by commas. */
export function readRanges(name: string, text: string): readonly string[] {
  const ranges = wordsOf(text)
  const wrong = ranges.find(word => !isAddressOrRange(word))
  if (wrong !== undefined)
    throw new SettingError(
      `${name} takes addresses and ranges such as 10.0.0.0/8, separated by commas, and "${wrong}" is neither.`,
    )
  return ranges
}

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

/** Host names separated by commas, each with or without a port. */
export function readHostNames(name: string, text: string): readonly string[] {
  const names = wordsOf(text)
  const wrong = names.find(word => !/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(word))
  if (wrong !== undefined)
    throw new SettingError(`${name} takes names of hosts separated by commas, and "${wrong}" is none.`)
  return names
}

export function readOrigins(name: string, text: string): readonly string[] {
  const origins = wordsOf(text)
  const wrong = origins.find(word => !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/i.test(word))
  if (wrong !== undefined)
    throw new SettingError(
      `${name} takes origins such as app://obsidian.md separated by commas, and "${wrong}" is none.`,
    )
  return origins
}
