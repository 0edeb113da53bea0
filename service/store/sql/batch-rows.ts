import type {
  BatchCounts,
  BatchItemRecord,
  BatchRecord,
  BatchState,
  Delivery,
  ItemState,
} from '../interfaces/batches.ts'
import type { Encrypter } from '../sealer.ts'
import { numberOrNull, type Row, textOrNull } from './sql.ts'

/** Counts of an empty batch. */
export const noItems = (): BatchCounts => ({
  total: 0,
  waiting: 0,
  queued: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
  unsaved: 0,
  creditCost: 0,
  inputBytes: 0,
  outputBytes: 0,
})

/** A row of `batches` as a batch. */
export const toBatch = (row: Row, encrypter: Encrypter): BatchRecord => ({
  id: String(row.id),
  accountId: String(row.account_id),
  host: String(row.host),
  position: Number(row.position),
  source: String(row.source),
  targetKey: String(row.target_key),
  options: encrypter.decryptStored(String(row.options)),
  destination: JSON.parse(String(row.destination)),
  state: row.state as BatchState,
  problem: row.problem === null ? null : JSON.parse(String(row.problem)),
  createdAt: Number(row.created_at),
  finishedAt: numberOrNull(row.finished_at),
})

/** A row of `batch_items` as an item. */
export const toItem = (row: Row): BatchItemRecord => ({
  id: String(row.id),
  batchId: String(row.batch_id),
  position: Number(row.position),
  fileId: String(row.file_id),
  name: String(row.name),
  relativePath: textOrNull(row.relative_path),
  bytes: Number(row.bytes),
  format: textOrNull(row.format),
  addedAt: Number(row.added_at),
  originalPath: textOrNull(row.original_path),
  modifiedAt: numberOrNull(row.modified_at),
  retryOf: textOrNull(row.retry_of),
  state: row.state as ItemState,
  jobId: textOrNull(row.job_id),
  delivery: row.delivery as Delivery,
  savedTo: textOrNull(row.saved_to),
  numbered: Number(row.numbered) === 1,
  error: row.error === null ? null : JSON.parse(String(row.error)),
})
