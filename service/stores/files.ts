import type { Measure } from '../catalogue/task.ts'
import type { Message } from '../messages/message.ts'

/** Where the content of a file is. */
export type FileSource =
  /** In the blob store. */
  | { kind: 'blob' }
  /** A file of this machine that is read where it is. It is another file once its size or time has changed. */
  | { kind: 'path'; path: string; bytes: number; modifiedAt: number }

/** A file taken in from the app, recognised and measured, waiting to be told what to become. */
export interface FileRecord {
  id: string
  accountId: string
  name: string
  /** Its path within the folder it was dropped with, with forward slashes and its own name at the end. */
  relativePath: string | null
  bytes: number
  format: string | null
  measure: Measure
  /** Why it could not be measured. */
  problem: Message | null
  source: FileSource
  /** When it was added to the page, in milliseconds since 1970; fractions keep the order of files added at once. */
  addedAt: number
  /** Path it was named by; null for one that was uploaded. */
  originalPath: string | null
  /** When it was changed last, in milliseconds since 1970; null where that is not known. */
  modifiedAt: number | null
  /** Whether a job or a batch was made from it. */
  submitted: boolean
  createdAt: number
}

export type NewFile = Omit<FileRecord, 'submitted' | 'createdAt'>

/** Files between being dropped and being converted; they are kept for a while after use, for a retry. */
export interface FileStore {
  add(file: NewFile): Promise<FileRecord>
  /** An account's file. */
  get(id: string, accountId: string): Promise<FileRecord | undefined>
  /** Prolongs the stay of an account's files, and returns those that exist, in the order of the ids. */
  use(ids: readonly string[], accountId: string): Promise<FileRecord[]>
  /** An account's files of which no job and no batch was made yet, in the order they were added. */
  unsubmitted(accountId: string): Promise<FileRecord[]>
  /** Those of these that an account has, in no particular order; unlike `use` this prolongs nothing. */
  getMany(ids: readonly string[], accountId: string): Promise<FileRecord[]>
  /** Which of these files exist. */
  existing(ids: readonly string[]): Promise<Set<string>>
  /** Removes an account's file and returns it. */
  remove(id: string, accountId: string): Promise<FileRecord | undefined>
  /** Removes files that were last used before a time and for which no item of a batch waits; returns their ids. */
  removeUnused(before: number): Promise<string[]>
}
