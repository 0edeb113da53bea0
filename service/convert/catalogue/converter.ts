import { type Costing, fixed, perMegabyte, perMinute, perPage } from './costing.ts'
import type { EngineName } from './engines.ts'
import { type FormatKey, formats } from './formats.ts'
import type { Needs, OptionProperties, OptionsOf } from './options.ts'
import type { AnyExcerpter, AnyWork, Excerpter, Prober, Work } from './task.ts'

export { type Costing, fixed, perMegabyte, perMinute, perPage }

/** Categories, and the word that each contributes to job types. */
export const categories = {
  images: 'image',
  documents: 'document',
  audio: 'audio',
  video: 'video',
  ebooks: 'ebook',
  fonts: 'font',
  archives: 'archive',
} as const

export type Category = keyof typeof categories

export interface Limits {
  /** Largest input in bytes. */
  bytes: number
  /** How many jobs of this converter a host runs at once, over all accounts. */
  concurrent: number
  pages: number | null
  minutes: number | null
}

const MB = 1_000_000
const GiB = 2 ** 30

/** Largest file that the service accepts at all. */
export const globalLimits = {
  bytes: 16 * GiB,
  concurrent: 6,
  batchFiles: 1000,
  batchBytes: 64 * GiB,
} as const

const byteLimits: Record<Category, number> = {
  images: 250 * MB,
  documents: 250 * MB,
  audio: 4 * GiB,
  video: 16 * GiB,
  ebooks: 250 * MB,
  fonts: 50 * MB,
  archives: 16 * GiB,
}

/** An additional target key: a converter with some options preset. `pdf-ocr` is `pdfa` with OCR on. */
export interface PresetAlias {
  key: string
  target: string
  options: Record<string, unknown>
}

/** Options for all targets, or a function if they differ by target. */
type DeclaredOptions = OptionProperties | ((target: string) => OptionProperties)

/** The options that a work gets: for a function, everything that any target may have. */
type GivenOptions<Declared> = Declared extends (target: string) => OptionProperties
  ? OptionsOf<ReturnType<Declared>>
  : Declared extends OptionProperties
    ? OptionsOf<Declared>
    : unknown

/** A row of a category's table: the conversions of one source format. */
interface Row<Declared> extends AnyRow {
  options?: DeclaredOptions & Declared
  /** Loads the work, in a worker. */
  load: () => Promise<Work<GivenOptions<Declared>>>
  /** Loads what chooses a part for previews; without it, they convert a page or all. */
  part?: () => Promise<Excerpter<GivenOptions<Declared>>>
}

interface AnyRow {
  source: FormatKey
  targets: readonly FormatKey[]
  /** The target chosen for a new file until a person chooses another; of several rows, the last one that can be made counts. */
  likely?: FormatKey
  /** True for conversions beyond the contract, which the API lists only on request. */
  extension?: true
  /** The engine whose processes do the work. */
  engine: EngineName
  costing: Costing
  options?: DeclaredOptions
  load: () => Promise<AnyWork>
  part?: () => Promise<AnyExcerpter>
  /** Loads the code that counts pages or minutes, in a worker; required by the strategies PerPage and PerMinute. */
  measure?: () => Promise<Prober>
  limits?: Partial<Limits>
  /** Time limit of a job; a function gets the measured minutes and pages. Default 600, documents 300. */
  seconds?: number | ((minutes: number, pages: number) => number)
  /** What a file must have for it to be offered. */
  requires?: Needs
  /** What the contract calls targets in jobs and requests, where it has another word than the format's key. */
  names?: Partial<Record<FormatKey, string>>
  /** Request keys for targets whose key is not their name. */
  targetKeys?: Partial<Record<FormatKey, string>>
  presetAliases?: readonly PresetAlias[]
}

/** One source→target conversion. */
export interface Converter {
  job: string
  category: Category
  source: FormatKey
  target: FormatKey
  /** Whether its target is chosen for new files. */
  likely: boolean
  /** Whether it goes beyond the contract's conversions. */
  extension: boolean
  /** The key that names the target in requests; nearly always `target` itself. */
  targetKey: string
  presetAliases: readonly PresetAlias[]
  /** Format keys of the files it accepts: the source itself, or the members of a group. */
  sources: readonly FormatKey[]
  /** File name suffixes and keys that it accepts. */
  accepts: readonly string[]
  engine: EngineName
  costing: Costing
  /** What a file must have for it to be offered. */
  requires: Needs
  options: OptionProperties
  limits: Limits
  seconds: (minutes: number, pages: number) => number
  load: () => Promise<AnyWork>
  part: (() => Promise<AnyExcerpter>) | undefined
  measure: (() => Promise<Prober>) | undefined
}

/**
 * Expands a category's table into one converter for each source and target, in the table's order. The compiler checks that every
 * work accepts its row's options.
 */
export function defineConverters<const Rows extends readonly unknown[]>(
  category: Category,
  rows: readonly [...{ [Index in keyof Rows]: Row<Rows[Index]> }],
): Converter[]
export function defineConverters(category: Category, rows: readonly AnyRow[]): Converter[] {
  return rows.flatMap(row => expand(category, row))
}

function expand(category: Category, row: AnyRow): Converter[] {
  const { source, costing, options = {}, seconds } = row
  const format = formats[source]
  const members = (format.members ?? []) as FormatKey[]
  // A group accepts its members' files, and under its own name those that no member claims (`raw` accepts .arw).
  const sources = members.length > 0 ? [source, ...members] : [source]
  const accepts = [
    ...new Set(sources.flatMap(key => [...formats[key].suffixes, ...(formats[key].aliases ?? [])])),
  ]
  const defaultSeconds = category === 'documents' ? 300 : 600
  const limits: Limits = {
    bytes: byteLimits[category],
    concurrent: globalLimits.concurrent,
    pages: costing.strategy === 'PerPage' ? 2000 : null,
    minutes: costing.strategy === 'PerMinute' ? 1440 : null,
    ...row.limits,
  }
  return row.targets.map(target => ({
    job: `${categories[category]}.${source}-to-${row.names?.[target] ?? target}`,
    category,
    source,
    target,
    likely: target === row.likely,
    extension: row.extension ?? false,
    targetKey: row.targetKeys?.[target] ?? row.names?.[target] ?? target,
    presetAliases: (row.presetAliases ?? []).filter(alias => alias.target === target),
    sources,
    accepts,
    engine: row.engine,
    costing,
    requires: row.requires ?? {},
    options: typeof options === 'function' ? options(target) : options,
    limits,
    seconds: typeof seconds === 'function' ? seconds : () => seconds ?? defaultSeconds,
    load: row.load,
    part: row.part,
    measure: row.measure,
  }))
}
