import type { Options } from '../catalogue/task.ts'
import type { Message } from '../messages/message.ts'
import type { JobStatus } from './jobs.ts'

export type BatchState = 'active' | 'paused' | 'done' | 'canceled'

/** Where the results of a batch go. */
export type Destination =
  /** They are kept for download. */
  | { kind: 'keep' }
  /** They are saved to a folder of this machine. */
  | ({ kind: 'folder'; path: string; keepFolders?: boolean } & Saving)
  /** Each is saved to the folder that its original lies in. */
  | ({ kind: 'beside' } & Saving)

/** How results are saved to folders. */
export interface Saving {
  /** Template of their names, such as `{name}.{ext}`; by default they are named as for a download. */
  name?: string
  /** What the template calls the preset that the options came from. */
  preset?: string
  /** Whether they are as old as their originals. */
  keepDates?: boolean
  /** What becomes of a result whose name is taken: it gets a number, or stays for download until somebody decides. */
  taken?: 'number' | 'ask'
}

/** What went wrong, for programs and for people. */
export interface BatchProblem {
  code: string
  reason: Message
}

/** Many files to be converted alike. Times are milliseconds since 1970. */
export interface BatchRecord {
  id: string
  accountId: string
  /**
   * Id of the host that was asked for it, which saves its results: their folder is on that machine. Null for one that an
   * earlier version has stored.
   */
  host: string | null
  /** Its place among the account's batches; lower comes first. */
  position: number
  /** Format the files have, or a word for several. */
  source: string
  targetKey: string
  options: Options
  destination: Destination
  state: BatchState
  /** Why it was paused by itself. */
  problem: BatchProblem | null
  createdAt: number
  finishedAt: number | null
}

export type NewBatch = Pick<
  BatchRecord,
  'id' | 'accountId' | 'source' | 'targetKey' | 'options' | 'destination'
> & { host: string }

/**
 * State of an item of its own: one that is submitted is in the state of its job. The last three are final: of an item
 * that never became a job, or whose job has been removed.
 */
export type ItemState = 'waiting' | 'submitted' | 'succeeded' | 'failed' | 'canceled'

/** How saving an item's result stands; `none` where results are kept for download, or saving was given up. */
export type Delivery = 'none' | 'pending' | 'saved' | 'failed'

/** One file of a batch. */
export interface BatchItemRecord {
  id: string
  batchId: string
  /** Its place in the batch; lower comes first. */
  position: number
  fileId: string
  name: string
  relativePath: string | null
  bytes: number
  /** Format of the content. */
  format: string | null
  /** When its file was added to the page, as `FileRecord` has it. */
  addedAt: number
  /** Path the file was named by; null for one that was uploaded. */
  originalPath: string | null
  /** When the file was changed last, in milliseconds since 1970; null where that is not known. */
  modifiedAt: number | null
  /** The job that this item repeats, to become an attempt of the same first job. */
  retryOf: string | null
  state: ItemState
  jobId: string | null
  delivery: Delivery
  /** Path on this machine that the result was saved to, or is being saved to while that is pending. */
  savedTo: string | null
  /** Whether the result gets a number where its name is taken, whatever the destination says. */
  numbered: boolean
  /** Why it could not be submitted or saved. */
  error: BatchProblem | null
}

export type NewBatchItem = Pick<
  BatchItemRecord,
  'id' | 'fileId' | 'name' | 'relativePath' | 'bytes' | 'format' | 'addedAt' | 'originalPath' | 'modifiedAt'
> &
  Partial<Pick<BatchItemRecord, 'retryOf'>>

/** Items by state, where a submitted one counts by its job's. */
export interface BatchCounts extends Record<'waiting' | Lowercase<JobStatus>, number> {
  total: number
  /** Results that are yet to be saved. */
  unsaved: number
  /** Net credits its jobs have cost. */
  creditCost: number
  /** Sizes of what has been converted, and of what it became. */
  inputBytes: number
  outputBytes: number
}

/** Batches and their items. Every method is one transaction. */
export interface BatchStore {
  /** Stores a batch behind the account's others, active, its items in the given order; their files count as submitted. */
  create(batch: NewBatch, items: readonly NewBatchItem[]): Promise<BatchRecord>
  get(id: string): Promise<BatchRecord | undefined>
  /** Batches of all accounts of which something is left to do: open ones, and canceled ones that still have open jobs. */
  unfinished(): Promise<BatchRecord[]>
  /** An account's open batches in their order, then those finished since a time, the latest first. */
  list(accountId: string, finishedSince: number): Promise<BatchRecord[]>
  /** Counts of batches, from one query. */
  counts(ids: readonly string[]): Promise<Map<string, BatchCounts>>
  /** Items behind a position, in order. */
  items(batchId: string, after: number | null, limit: number): Promise<BatchItemRecord[]>
  item(id: string): Promise<BatchItemRecord | undefined>
  itemOfJob(jobId: string): Promise<BatchItemRecord | undefined>

  /**
   * active → paused, with a problem when it was not a person who paused it. A problem is also noted on a batch that is
   * paused already. False when nothing was changed.
   */
  pause(id: string, problem?: BatchProblem): Promise<boolean>
  /** paused → active, the problem forgotten. False when it is not paused. */
  resume(id: string): Promise<boolean>
  /**
   * active or paused → canceled, with all items that wait; nothing is saved any more. False when it is finished.
   * Its open jobs are not touched: see `openJobs`.
   */
  cancel(id: string): Promise<boolean>
  /** active or paused → done, if no item waits, no job is open and no result is yet to be saved. False otherwise. */
  finish(id: string): Promise<boolean>
  /** Removes a finished batch and its items; its jobs stay. False when it is open. */
  remove(id: string): Promise<boolean>
  /**
   * Removes an account's items that have ended and been saved; their jobs stay, and a batch that has none left goes.
   * Other items are left alone.
   * @returns ids of the batches they were in, and whether each is still there
   */
  removeItems(ids: readonly string[], accountId: string): Promise<Map<string, boolean>>
  /** Removes batches that finished before a time, and returns them as they were. */
  forget(before: number): Promise<BatchRecord[]>

  /** Moves an open batch before another, or behind all. False when there is no such pair. */
  move(id: string, before: string | null): Promise<boolean>
  /** Moves an item before another of its batch, or behind all. False when there is no such pair. */
  moveItem(id: string, before: string | null): Promise<boolean>

  /** Accounts that have an active batch with items that wait. */
  accountsWaiting(): Promise<string[]>
  /** The first waiting item of an account's first active batch that has one. */
  nextItem(accountId: string): Promise<{ batch: BatchRecord; item: BatchItemRecord } | undefined>
  /** waiting → failed, of an item that cannot become a job. False when it waits no more. */
  failItem(id: string, error: BatchProblem): Promise<boolean>
  /** waiting → canceled, of one item. False when it waits no more. */
  cancelItem(id: string): Promise<boolean>
  /** Ids of a batch's queued and running jobs. */
  openJobs(batchId: string): Promise<string[]>

  /** Makes all batches those of one host, whose store this is alone. */
  adopt(host: string): Promise<void>
  /**
   * Items of a host's batches whose job has succeeded and whose result is yet to be saved, the result that is there longest first.
   * @param unlessPausedBy codes of problems whose batches are left out
   */
  undelivered(host: string, limit: number, unlessPausedBy: readonly string[]): Promise<BatchItemRecord[]>
  /** Notes the path that a result is about to be saved to. False when it is not pending any more. */
  placing(itemId: string, path: string): Promise<boolean>
  /** pending → saved. False when it is not pending any more. */
  saved(itemId: string, path: string): Promise<boolean>
  /** failed → pending, under a number where the name is taken, when there is a result. False otherwise. */
  saveAgain(itemId: string): Promise<boolean>
  /** pending → failed: the result stays for download. False when it is not pending any more. */
  notSaved(itemId: string, error: BatchProblem): Promise<boolean>
}
