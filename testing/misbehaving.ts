import { join } from 'node:path'
import type { ServiceOptions } from '../service/host/host.ts'

/**
 * Service options whose workers do what the text of their input says (see misbehaving-worker.ts), so that crashes,
 * hangs and floods are real.
 */
export const misbehaving = {
  workerEntry: join(import.meta.dirname, 'misbehaving-worker.ts'),
} satisfies Partial<ServiceOptions>
