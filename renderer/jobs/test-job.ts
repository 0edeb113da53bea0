import type { AppJob } from '../../service/app/types.ts'

/** A job for tests: finished a minute after noon, unless told otherwise. */
export const testJob = (over: Partial<AppJob> = {}): AppJob => ({
  id: 'j1',
  job: 'image.heic-to-jpg',
  category: 'images',
  source: 'heic',
  target: 'jpg',
  targetLabel: 'JPEG',
  status: 'Succeeded',
  percent: 100,
  phase: null,
  eta: null,
  inputName: 'photo.heic',
  inputBytes: 2_000_000,
  outputBytes: 1_000_000,
  creditCost: 1,
  error: null,
  warnings: [],
  output: { fileName: 'photo.jpg', contentType: 'image/jpeg', fileCount: 1 },
  canRetry: true,
  origin: 'app',
  createdAt: '2026-11-20T12:00:00.000Z',
  startedAt: '2026-11-20T12:00:01.000Z',
  finishedAt: '2026-11-20T12:01:00.000Z',
  expiresAt: '2026-11-20T13:01:00.000Z',
  ...over,
})
