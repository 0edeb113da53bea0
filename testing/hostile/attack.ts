/** Building blocks of this folder's hostile files. */
import { join } from 'node:path'

/** What a file tries to reach: nobody may contact this server or read these files. */
export interface Bait {
  /** Address of a server on this machine, with a path that belongs to this attack. */
  url: string
  /** Host and port of it. */
  authority: string
  /** UDP port on this machine. */
  udpPort: number
  /** Folder outside every job's folder, with one file of each of `baitSuffixes`. */
  folder: string
}

/** The kinds of files in a bait's folder, each called `canary`. */
export const baitSuffixes = ['txt', 'png', 'svg', 'css', 'ts', 'docx'] as const

/** Path of a file that may not be read. */
export const canary = ({ folder }: Bait, suffix: (typeof baitSuffixes)[number]): string =>
  join(folder, `canary.${suffix}`)

export interface Attack {
  /** What it tries, in words. */
  name: string
  /** The catalogue source whose conversions it is sent through. */
  source: string
  /** Suffix of its name, if that is not the source. */
  suffix?: string
  /** Its whole name, if the name is the attack. */
  fileName?: string
  bytes(bait: Bait): Uint8Array | string | Promise<Uint8Array | string>
  /** The only relevant targets. */
  targets?: readonly string[]
  /** Takes a converter seconds, within its limits: only tried with REFILE_TESTS=full. */
  heavy?: boolean
}

/** Attacks on a source, by name. */
export const attacksOn = (
  source: string,
  attacks: Readonly<Record<string, Attack['bytes']>>,
  rest: Partial<Attack> = {},
): Attack[] => Object.entries(attacks).map(([name, bytes]) => ({ name, source, bytes, ...rest }))

/** The attacks, with the named ones marked as heavy. */
export const heavy = (attacks: readonly Attack[], ...names: readonly string[]): Attack[] =>
  attacks.map(attack => (names.includes(attack.name) ? { ...attack, heavy: true } : attack))

export const join8 = (...parts: readonly (Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

/** A copy with some bytes replaced. */
export function patched(bytes: Uint8Array, at: number, patch: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(patch.subarray(0, Math.max(0, copy.length - at)), at)
  return copy
}

/** Nested entities, each made of ten others, 10^9 of the first in total; refer to the last as `&laugh9;`. */
export const laughs = (root: string): string =>
  `<!DOCTYPE ${root} [<!ENTITY laugh0 "ha">${Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY laugh${index + 1} "${`&laugh${index};`.repeat(10)}">`,
  ).join('')}]>`

/** One entity of a megabyte, used a thousand times as `&long;`: the quadratic variant. */
export const longEntity = (root: string): string =>
  `<!DOCTYPE ${root} [<!ENTITY long "${'a'.repeat(1 << 20)}">]>`

/** Entities of files and addresses: `&file;`, `&web;`, and a DTD that would be fetched before anything is read. */
export const outside = (root: string, bait: Bait): string =>
  `<!DOCTYPE ${root} SYSTEM "${bait.url}/root.dtd" [<!ENTITY file SYSTEM "file://${canary(bait, 'txt')}"><!ENTITY web SYSTEM "${bait.url}/entity"><!ENTITY % more SYSTEM "${bait.url}/parameter.dtd"> %more;]>`
