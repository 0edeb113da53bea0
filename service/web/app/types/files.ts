import type { FileFacts } from '../../../shared/file-facts.ts'
import type { FileRecord } from '../../../store/interfaces/files.ts'
import {
  anyObject,
  list,
  map,
  nullable,
  number,
  object,
  optional,
  type Static,
  string,
} from '../../http/schema.ts'

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
  /** Whether it is chosen for a new file; of several, the last one that is not missing counts. */
  likely: boolean
  maxFileSizeBytes: number
}

/** What of a file is shown as it is stored. */
export const shownOfFile = ['id', 'name', 'bytes', 'format', 'relativePath', 'addedAt'] as const

/** A file of the app; `format` is null if no conversion accepts it. */
export interface StagedFile extends Pick<FileRecord, (typeof shownOfFile)[number]> {
  formatLabel: string | null
  targets: TargetChoice[]
  /** Number of pages, slides or frames, and minutes, if they were counted. */
  pages: number | null
  minutes: number | null
  /** Known facts about its content; unknown ones are left out. */
  facts: FileFacts
  /** Why the file could not be measured or read, for the person who dropped it. */
  problem: string | null
}

/** Several staged files. A list of targets is longer than all else about a file, and that of most is the same. */
export interface StagedFiles {
  files: (Omit<StagedFile, 'targets'> & { targets: number })[]
  /** The lists of targets, which each file gives the index of. */
  targets: TargetChoice[][]
}

/** A file on this machine, named by its path. Only accepted from the app's own session. */
export type LocalFile = Static<typeof LocalFile>
export const LocalFile = object({
  /** Absolute path. */
  path: string({ minLength: 1 }),
  /** Path inside a dropped folder, separated by `/`. */
  relativePath: optional(string()),
  /** See `FileRecord`. */
  addedAt: optional(number()),
})

export type Ids = Static<typeof Ids>
export const Ids = object({ ids: list(string(), { minItems: 1, maxItems: 10_000 }) })

/** Files to look up. */
export type FileIds = Static<typeof FileIds>
export const FileIds = object({ ids: list(string(), { minItems: 1, maxItems: 500 }) })

/** What is chosen for files that wait to be converted, in all windows of the page. */
export type Chosen = Static<typeof Chosen>
export const Chosen = object({
  /** By the id of the file; of a change, null for those without a choice any more, and others stay. */
  choices: map(nullable(object({ target: string(), options: anyObject() }))),
  /** Id of the preset that files follow as they are added. */
  following: nullable(string()),
})
