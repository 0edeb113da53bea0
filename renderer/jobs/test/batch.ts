import type { Batch, BatchCounts, BatchItem } from '../../../service/web/app/types.ts'

const none: BatchCounts = {
  total: 0,
  waiting: 0,
  queued: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
}

/** Counts for tests: the given ones, otherwise 0, and their sum as the total. */
export const testCounts = (over: Partial<BatchCounts>): BatchCounts => ({
  ...none,
  ...over,
  total: over.total ?? Object.values(over).reduce((sum, value) => sum + value, 0),
})

/** A batch for tests: three waiting files by default. */
export const testBatch = (over: Partial<Batch> = {}): Batch => ({
  id: 'b1',
  source: 'heic',
  target: 'jpg',
  targetLabel: 'JPEG',
  options: {},
  destination: { kind: 'keep' },
  state: 'active',
  problem: null,
  counts: testCounts({ waiting: 3 }),
  creditCost: 3,
  inputBytes: 0,
  outputBytes: 0,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: null,
  ...over,
})

/** An item for tests: a waiting file by default. */
export const testItem = (over: Partial<BatchItem> = {}): BatchItem => ({
  id: 'i1',
  batchId: 'b1',
  fileId: 'f1',
  name: 'photo.heic',
  relativePath: null,
  bytes: 2_000_000,
  format: 'heic',
  formatLabel: 'HEIC',
  addedAt: 1,
  state: 'waiting',
  job: null,
  error: null,
  savedTo: null,
  ...over,
})
