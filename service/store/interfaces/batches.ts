import type { Options } from '../../convert/catalogue/task.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { FileRecord } from './files.ts'
import type { JobStatus } from './jobs.ts'

export type BatchState = 'active' | 'paused' | 'done' | 'canceled'

/** Where the results of a batch go. */
export type Destination =
  /** They are kept for download. */
  | { kind: 'keep' }
  /** They are saved to a folder of this machine. */
  | ({ kind: 'folder'; path: string; keepFolders?: boolean } & Saving)
  /** Each is saved to the folder of its original. */
  | ({ kind: 'beside' } & Saving)

/** How results are saved to folders. */
export interface Saving {
  /** Template of their names, such as `{name}.{ext}`; by default they get the same names as for a download. */
  name?: string
  /** The name for the template's `{preset}`: that of the preset the options came from. */
  preset?: string
  /** Whether they get the dates of their originals. */
  keepDates?: boolean
  /** What happens to a result whose name is taken: it gets a number, or is kept for download until somebody decides. */
  taken?: 'number' | 'ask'
  /** What becomes of the originals once their results are saved; they are kept by default. */
  original?: Original
}

/** What becomes of an original: it stays where it is, or goes to the recycle bin of its system. */
export type Original = 'keep' | 'recycle'

/** What went wrong, for programs and for people. */
export interface BatchProblem {
  code: string
  reason: Message
}

/** Many files to be converted in the same way. Times are milliseconds since 1970. */
export interface BatchRecord {
  id: string
  accountId: string
  /** Id of the host that received it and saves its results, since their folder is on that machine. */
  host: string
  /** Its position among the account's batches; lower comes first. */
  position: number
  /** Format of the files, or a word for several formats. */
  source: string
  targetKey: string
  options: Options
  destination: Destination
  state: BatchState
  /** Why it was paused automatically. */
  problem: BatchProblem | null
  createdAt: number
  finishedAt: number | null
}

export type NewBatch = Pick<
  BatchRecord,
  'id' | 'accountId' | 'host' | 'source' | 'targetKey' | 'options' | 'destination'
>

/**
 * State of an item itself: a submitted item has the state of its job. The last three are final: for an item that never
 * became a job, or whose job has been removed.
 */
export type ItemState = 'waiting' | 'submitted' | 'succeeded' | 'failed' | 'canceled'

/** State of saving an item's result; `none` if results are kept for download or saving was given up. */
export type Delivery = 'none' | 'pending' | 'saved' | 'failed'

/** What a batch keeps of a file, as it was when it was added. */
type FileFields = Pick<
  FileRecord,
  'name' | 'relativePath' | 'bytes' | 'format' | 'addedAt' | 'originalPath' | 'modifiedAt'
>

/** One file of a batch. */
export interface BatchItemRecord extends FileFields {
  id: string
  batchId: string
  /** Its position in the batch; lower comes first. */
  position: number
  fileId: string
  /** The job that this item repeats as a further attempt of the same first job. */
  retryOf: string | null
  state: ItemState
  jobId: string | null
  delivery: Delivery
  /** Path on this machine that the result was saved to, or that was chosen for it while saving is pending. */
  savedTo: string | null
  /** Whether the result gets a number if its name is taken, whatever the destination says. */
  numbered: boolean
  /** Why it could not be submitted or saved. */
  error: BatchProblem | null
}

export type NewBatchItem = FileFields &
  Pick<BatchItemRecord, 'id' | 'fileId'> &
  Partial<Pick<BatchItemRecord, 'retryOf'>>

/** Items by state; a submitted item counts under its job's state. */
export interface BatchCounts extends Record<'waiting' | Lowercase<JobStatus>, number> {
  total: number
  /** Results that have not been saved yet. */
  unsaved: number
  /** Net credits that its jobs have cost. */
  creditCost: number
  /** Total sizes of the converted files and of their results. */
  inputBytes: number
  outputBytes: number
}

/** Batches and their items. Every method is one transaction. */
export interface BatchStore {
  /**
   * Stores a batch after the account's others, active, with its items in the given order; their files count as submitted. A batch
   * with this id that is there already stays as it is.
   */
  create(batch: NewBatch, items: readonly NewBatchItem[]): Promise<BatchRecord>
  /**
   * Adds items after the others of a batch, except of files that it has already; one that is done is active again. False if it is
   * canceled or gone.
   */
  append(id: string, items: readonly NewBatchItem[]): Promise<boolean>
  get(id: string): Promise<BatchRecord | undefined>
  /** Batches of all accounts and hosts with work left: open ones, and canceled ones that still have open jobs. */
  unfinished(): Promise<BatchRecord[]>
  /** An account's open batches in their order, then those finished since a time, the latest first. */
  list(accountId: string, finishedSince: number): Promise<BatchRecord[]>
  /** Counts of batches, from one query. */
  counts(ids: readonly string[]): Promise<Map<string, BatchCounts>>
  /** Items after a position, in order. */
  items(batchId: string, after: number | null, limit: number): Promise<BatchItemRecord[]>
  item(id: string): Promise<BatchItemRecord | undefined>
  itemOfJob(jobId: string): Promise<BatchItemRecord | undefined>

  /**
   * active → paused, with a problem unless a person paused it. A problem is also recorded on a batch that is already
   * paused. False if nothing was changed.
   */
  pause(id: string, problem?: BatchProblem): Promise<boolean>
  /** paused → active, clearing the problem. False if it is not paused. */
  resume(id: string): Promise<boolean>
  /**
   * active or paused → canceled, including all waiting items; nothing more is saved. False if it is finished. Its open
   * jobs are not touched: see `openJobs`.
   */
  cancel(id: string): Promise<boolean>
  /**
   * active or paused → done, if no item is waiting, no job is open and no result is still to be saved. False otherwise.
   */
  finish(id: string): Promise<boolean>
  /**
   * Removes those of an account's items that have ended and been saved, but not their jobs; a batch without items is
   * removed too. Other items are left alone.
   * @returns ids of the batches they were in, and whether each still exists
   */
  removeItems(ids: readonly string[], accountId: string): Promise<Map<string, boolean>>
  /** Removes batches that finished before a time, and returns their last state. */
  purge(before: number): Promise<BatchRecord[]>

  /** Accounts that have an active batch with waiting items. */
  accountsWaiting(): Promise<string[]>
  /** The first waiting item of an account's first active batch that has one. */
  nextItem(accountId: string): Promise<{ batch: BatchRecord; item: BatchItemRecord } | undefined>
  /** waiting → failed, for an item that cannot become a job. False if it is no longer waiting. */
  failItem(id: string, error: BatchProblem): Promise<boolean>
  /** waiting → canceled, for one item. False if it is no longer waiting. */
  cancelItem(id: string): Promise<boolean>
  /** Ids of a batch's queued and running jobs. */
  openJobs(batchId: string): Promise<string[]>

  /** Assigns all batches to one host, which must be the only one using this store. */
  adopt(host: string): Promise<void>
  /**
   * Items of a host's batches whose job has succeeded and whose result has not been saved yet, oldest result first.
   * @param unlessPausedBy codes of problems whose batches are left out
   */
  undelivered(host: string, limit: number, unlessPausedBy: readonly string[]): Promise<BatchItemRecord[]>
  /** Records the path that a result is about to be saved to. False if it is no longer pending. */
  placing(itemId: string, path: string): Promise<boolean>
  /** pending → saved, with what went wrong after that, if anything did. False if it is no longer pending. */
  saved(itemId: string, path: string, problem?: BatchProblem): Promise<boolean>
  /** Items of all batches that convert a file of this machine. */
  itemsOf(originalPath: string): Promise<BatchItemRecord[]>
  /** failed → pending, with a number if the name is taken, if there is a result. False otherwise. */
  saveAgain(itemId: string): Promise<boolean>
  /** pending → failed: the result is kept for download. False if it is no longer pending. */
  notSaved(itemId: string, error: BatchProblem): Promise<boolean>
}
