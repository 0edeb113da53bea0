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
  /** The value of `{preset}` in it. */
  preset: optional(string({ maxLength: 100 })),
  /** Whether outputs get the dates of their originals. */
  keepDates: optional(boolean()),
  /** A name that is taken gets a number; with `ask` the output is kept until somebody decides. */
  taken: optional(oneOf(['number', 'ask'])),
  /** Whether originals stay, or go to the recycle bin once their results are saved. */
  original: optional(oneOf(['keep', 'recycle'])),
}

/** Where a batch's outputs go: kept for download until they expire, or saved to folders of this machine. */
export type Destination = Static<typeof Destination>
export const Destination = anyOf([
  object({ kind: constant('keep') }),
  object({
    kind: constant('folder'),
    /** Absolute path. */
    path: string(),
    /** Whether the folders of dropped files are recreated below `path`. */
    keepFolders: optional(boolean()),
    ...saving,
  }),
  /** Each in the folder of its original; only for files with known paths. */
  object({ kind: constant('beside'), ...saving }),
])

/** A person's remembered choice of where results go. */
export type SaveTo = Static<typeof SaveTo>
export const SaveTo = object({
  /** `ask` for a folder each time; `keep` for download. */
  kind: oneOf(['beside', 'folder', 'ask', 'keep']),
  /** The folder chosen last, remembered while another kind is chosen. */
  folder: nullable(string({ maxLength: 4096 })),
  /** Template of names; empty for unchanged names. */
  name: string({ maxLength: 255 }),
  keepFolders: boolean(),
  keepDates: boolean(),
  taken: oneOf(['number', 'ask']),
  /** Whether originals stay, or go to the recycle bin once their results are saved. */
  original: optional(oneOf(['keep', 'recycle'])),
})

export interface Settings {
  /** Null if nothing has been chosen yet. */
  destination: SaveTo | null
  /** What stays of the metadata of pictures, unless a conversion says otherwise. */
  metadata: KeptMetadata['keep'] | null
}

/** A choice of what stays of the metadata of pictures. */
export type KeptMetadata = Static<typeof KeptMetadata>
export const KeptMetadata = object({ keep: oneOf(['all', 'no-place', 'none']) })

/** A destination to check, with an example file for the names. */
export type NewDestination = Static<typeof NewDestination>
export const NewDestination = object({
  saveTo: SaveTo,
  preset: optional(string({ maxLength: 100 })),
  example: optional(object({ fileId: string(), target: string() })),
})

export interface DestinationCheck {
  /** Path or name that the result of the example would get; null if there is a problem. */
  example: string | null
  /** Why nothing can be saved there, in a sentence for people. */
  problem: string | null
}

/** A folder of this machine with its subfolders. */
export interface Folders {
  path: string
  /** Null for the topmost. */
  parent: string | null
  /** Subfolders that can be opened, by name; the first 1,000. */
  folders: { name: string; path: string }[]
}

/** A folder to create in another one of this machine. */
export type NewFolder = Static<typeof NewFolder>
export const NewFolder = object({
  /** Absolute path of the folder it goes into. */
  path: string({ minLength: 1, maxLength: 4096 }),
  name: string({ minLength: 1, maxLength: 255 }),
})
