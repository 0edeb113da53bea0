import {
  anyOf,
  boolean,
  constant,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../../http/schema.ts'

const saving = {
  /** Template of the output's name, such as `{name}.{ext}`. */
  name: optional(string({ maxLength: 255 })),
  /** What `{preset}` stands for in it. */
  preset: optional(string({ maxLength: 100 })),
  /** Whether outputs are as old as their originals. */
  keepDates: optional(boolean()),
  /** A name that is taken gets a number; with `ask` the output stays until somebody says so. */
  taken: optional(oneOf(['number', 'ask'])),
}

/** What becomes of a batch's outputs: kept for download until they expire, or saved to folders of this machine. */
export type Destination = Static<typeof Destination>
export const Destination = anyOf([
  object({ kind: constant('keep') }),
  object({
    kind: constant('folder'),
    /** Absolute path. */
    path: string(),
    /** Whether the folders of dropped files are made again below `path`. */
    keepFolders: optional(boolean()),
    ...saving,
  }),
  /** Each in the folder of its original; only of files that are known by their path. */
  object({ kind: constant('beside'), ...saving }),
])

/** Where a person wants results to go, as it is remembered. */
export type SaveTo = Static<typeof SaveTo>
export const SaveTo = object({
  /** `ask` for a folder each time; `keep` for download. */
  kind: oneOf(['beside', 'folder', 'ask', 'keep']),
  /** The folder chosen last, which stays known while another kind is chosen. */
  folder: nullable(string({ maxLength: 4096 })),
  /** Template of names; empty for names as they are. */
  name: string({ maxLength: 255 }),
  keepFolders: boolean(),
  keepDates: boolean(),
  taken: oneOf(['number', 'ask']),
})

export interface Settings {
  /** Null when nothing was chosen yet. */
  destination: SaveTo | null
}

/** A place for results to be checked, with a file that shows what names become. */
export type NewDestination = Static<typeof NewDestination>
export const NewDestination = object({
  saveTo: SaveTo,
  preset: optional(string({ maxLength: 100 })),
  example: optional(object({ fileId: string(), target: string() })),
})

export interface DestinationCheck {
  /** Path or name that the result of the example would get, or of a file of that kind; null with a problem. */
  example: string | null
  /** Why nothing can be saved there, in a sentence for people. */
  problem: string | null
}

/** A folder of this machine, and what is in it. */
export interface Folders {
  path: string
  /** Null for the topmost. */
  parent: string | null
  /** Folders that can be opened, by name; the first 1,000. */
  folders: { name: string; path: string }[]
}
