import {
  anyObject,
  boolean,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../../http/schema.ts'

const path = () => string({ minLength: 1, maxLength: 4096 })

/** A rule to make: what becomes of the files that come into a folder of this machine. */
export type NewWatchRule = Static<typeof NewWatchRule>
export const NewWatchRule = object({
  /** Absolute path. */
  folder: path(),
  /** Whether the folders in it count too. */
  recursive: optional(boolean()),
  /** Glob of the names that count; all by default. */
  pattern: optional(string({ minLength: 1, maxLength: 255 })),
  /** The target's request key. */
  target: string({ minLength: 1, maxLength: 100 }),
  options: optional(anyObject()),
  /** Absolute path of the folder for results. */
  out: path(),
  /** Folder that originals are moved to once their result is there; null to leave them. */
  moveTo: optional(nullable(path())),
  /** Whether originals stay, or go to the recycle bin once their result was read again; never together with `moveTo`. */
  original: optional(oneOf(['keep', 'recycle'])),
})

export const WatchChange = object({ paused: boolean() })

/** A rule, with what has become of its files. */
export interface WatchRule extends Required<NewWatchRule> {
  id: string
  paused: boolean
  /** Files with a result. */
  done: number
  /** Files that are still being written, or may be. */
  writing: number
  /** What became of a file last: the path of its result, or null if it failed. */
  last: { file: string; output: string | null } | null
  /** Files that could not be converted, and why; each is left alone until it changes, is tried again, or its cause may have passed. */
  failed: { file: string; detail: string }[]
  /** Why the folder cannot be watched at the moment, in a sentence for people. */
  problem: string | null
}
