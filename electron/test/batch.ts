import type { Batch } from '../../service/web/app/types.ts'

/** A batch of four files as reported by the service. */
export const testBatch = (
  id: string,
  { counts, ...change }: Partial<Omit<Batch, 'counts'>> & { counts?: Partial<Batch['counts']> } = {},
): Batch => ({
  id,
  source: 'jpg',
  target: 'webp',
  targetLabel: 'WebP',
  options: {},
  destination: { kind: 'beside' },
  state: 'active',
  problem: null,
  counts: { total: 4, waiting: 0, queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0, ...counts },
  creditCost: 0,
  inputBytes: 0,
  outputBytes: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
  ...change,
})
