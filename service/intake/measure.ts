import type { Converter } from '../catalogue/converter.ts'
import type { Measure, TaskInput } from '../catalogue/task.ts'
import { JobFailure } from '../errors.ts'
import type { WorkerPool } from '../workers/pool.ts'

/** Milliseconds a file may take to be measured before it counts as unmeasurable. */
const TIMEOUT = 20_000

/**
 * Pages or minutes of a file, as far as the converter's price depends on them. Parsing happens in a worker.
 * @returns nothing measured, and why, when the file cannot be read: it then costs one unit, and the job fails
 *   with the right code
 */
export async function measure(
  pool: WorkerPool,
  converter: Converter,
  input: TaskInput,
): Promise<{ measure: Measure; problem: string | null }> {
  if (!converter.measure) return { measure: {}, problem: null }
  try {
    const measured = await pool.run(
      'measure',
      { job: converter.job, input },
      // The process that converts it later on remembers what it has seen.
      { timeout: TIMEOUT, affinity: `${converter.category}/${converter.source}` },
    )
    return { measure: measured, problem: null }
  } catch (error) {
    return {
      measure: {},
      problem: error instanceof JobFailure ? error.detail : 'The file could not be read.',
    }
  }
}
