import type { Measure } from '../../convert/catalogue/task.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { Choice } from './presets.ts'

/** Where the content of a file is stored. */
export type FileSource =
  /** In the blob store. */
  | { kind: 'blob' }
  /** A file of this machine that is read in place. It counts as a different file once its size or time has changed. */
  | { kind: 'path'; path: string; bytes: number; modifiedAt: number }

/** A file received from the app, identified and measured, that waits for its conversion. */
export interface FileRecord {
  id: string
  accountId: string
  name: string
  /** Its path within the dropped folder, with forward slashes and its own name at the end. */
  relativePath: string | null
  bytes: number
  format: string | null
  measure: Measure
  /** Why it could not be measured. */
  problem: Message | null
  source: FileSource
  /** When it was added to the page, in milliseconds since 1970; fractions keep the order of files added at once. */
  addedAt: number
  /** Path by which it was named; null if it was uploaded. */
  originalPath: string | null
  /** When it was last modified, in milliseconds since 1970; null if unknown. */
  modifiedAt: number | null
  /** Whether a job or a batch was made from it. */
  submitted: boolean
  createdAt: number
}

export type NewFile = Omit<FileRecord, 'submitted' | 'createdAt'>

/** Files between drop and conversion; they are kept for a while after use, for retries. */
export interface FileStore {
  add(file: NewFile): Promise<FileRecord>
  /** An account's file. */
  get(id: string, accountId: string): Promise<FileRecord | undefined>
  /** Extends the retention of an account's files, and returns those that exist, in the order of the ids. */
  use(ids: readonly string[], accountId: string): Promise<FileRecord[]>
  /** An account's files without a job or batch, in the order they were added. */
  unsubmitted(accountId: string): Promise<FileRecord[]>
  /** Those of these files that belong to an account, in no particular order; unlike `use`, this extends nothing. */
  getMany(ids: readonly string[], accountId: string): Promise<FileRecord[]>
  /** What is chosen for an account's files, by their ids. */
  choices(accountId: string): Promise<Map<string, Choice>>
  /** Keeps choices for those of these files that belong to an account; null for none. */
  choose(choices: ReadonlyMap<string, Choice | null>, accountId: string): Promise<void>
  /** Which of these files exist. */
  existing(ids: readonly string[]): Promise<Set<string>>
  /** Removes those of these files that belong to an account, and returns their ids. */
  remove(ids: readonly string[], accountId: string): Promise<string[]>
  /** Removes files that were last used before a time and that no batch item is waiting for; returns their ids. */
  removeUnused(before: number): Promise<string[]>
}
