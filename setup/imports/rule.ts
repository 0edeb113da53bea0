/** What the files of a place may import besides each other. A place is a file or folder; the narrowest one counts. */
export interface Rule {
  place: string
  /** Places whose code and types it may import. */
  code?: readonly string[]
  /** Places from which it may only import types. */
  types?: readonly string[]
}

/** The only code that page, shell and service all run: the list of languages, and the reader of their texts. */
export const bothSides = 'languages'

/** Modules that every folder may use, the loop that many of them run, and how they place, hash and delete files. */
export const commonModules = [
  'service/shared/errors.ts',
  'service/shared/messages',
  bothSides,
  'service/shared/names',
  'service/shared/serial-loop.ts',
  'service/shared/address-ranges.ts',
  'service/shared/make-folder.ts',
  'service/shared/remove-tree.ts',
  'service/shared/file-facts.ts',
  'service/shared/file-hash.ts',
  'service/shared/model-folders.ts',
  'service/shared/placing',
  'service/shared/json-schema.ts',
  'service/shared/csv.ts',
  'service/shared/version.ts',
  'service/shared/picture-signatures.ts',
]
