import type { FileFacts } from '../../../convert/catalogue/facts.ts'
import { list, number, object, optional, type Static, string } from '../../http/schema.ts'

/** A possible target of a staged file, with the price for exactly this file. */
export interface TargetChoice {
  /** Request key, such as `webp` or `pdf-ocr`. */
  target: string
  label: string
  job: string
  category: string
  credits: number
  /** Credits by variant key if the converter has cost variants. */
  variants: Record<string, number> | null
  /** True when the engine of this conversion is not on this machine. */
  missing: boolean
  maxFileSizeBytes: number
}

export interface StagedFile {
  id: string
  name: string
  bytes: number
  /** The recognised format key, null if no conversion accepts this file. */
  format: string | null
  formatLabel: string | null
  targets: TargetChoice[]
  /** Path inside the dropped folder; null for a file dropped by itself. */
  relativePath: string | null
  /** Number of pages, slides or frames, and minutes, if they were counted. */
  pages: number | null
  minutes: number | null
  /** When it was added to the page, in milliseconds since 1970; fractions keep the order of files added at once. */
  addedAt: number
  /** Known facts about its content; unknown ones are left out. */
  facts: FileFacts
  /** Why the file could not be measured or read, for the person who dropped it. */
  problem: string | null
}

/** A file on this machine, named by its path. Only accepted from the app's own session. */
export type LocalFile = Static<typeof LocalFile>
export const LocalFile = object({
  /** Absolute path. */
  path: string({ minLength: 1 }),
  /** Path inside a dropped folder, separated by `/`. */
  relativePath: optional(string()),
  /** See `StagedFile`. */
  addedAt: optional(number()),
})

export type Ids = Static<typeof Ids>
export const Ids = object({ ids: list(string(), { minItems: 1, maxItems: 10_000 }) })

/** Files to look up; fewer at once, since each is returned with all its possible targets. */
export type FileIds = Static<typeof FileIds>
export const FileIds = object({ ids: list(string(), { minItems: 1, maxItems: 500 }) })
