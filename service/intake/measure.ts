import type { Converter } from '../catalogue/converter.ts'
import { measuring } from '../catalogue/engines.ts'
import type { Measure, TaskInput } from '../catalogue/task.ts'
import { JobFailure } from '../errors.ts'
import { type Message, message } from '../messages/message.ts'
import type { WorkerPool } from '../workers/pool.ts'

/** Time a file may take to be measured before it counts as unmeasurable; a sound one takes a fraction of a second. */
const TIMEOUT_MS = 8_000

/** Longest JSON of what was found in a file that is stored with it; a file says as much of itself as it likes. */
const PROBE_CHARACTERS = 64 * 1024

/** Who waits for a file to be measured. */
export interface Waiter {
  /** Accounts take turns. */
  accountId: string
  /** Aborts when nobody waits any more. */
  signal?: AbortSignal | undefined
}

/** The size of a file, as far as it could be told, and why not where it could not. */
export interface Measured {
  measure: Measure
  problem: Message | null
}

/** The measure, without its findings where they are too long: the work then looks into the file itself. */
function withinLimit({ probe, ...size }: Measure): Measure {
  return probe !== undefined && JSON.stringify(probe).length <= PROBE_CHARACTERS ? { ...size, probe } : size
}

/**
 * Pages or minutes of a file, as far as the converter's price depends on them. Parsing happens in a worker.
 * @returns nothing measured, and why, when the file cannot be read: it then costs one unit, and the job fails
 *   with the right code
 * @throws the signal's reason when nobody waits any more
 */
export async function measure(
  pool: WorkerPool,
  converter: Converter,
  input: TaskInput,
  { accountId, signal }: Waiter,
): Promise<Measured> {
  if (!converter.measure) return { measure: {}, problem: null }
  try {
    const measured = await pool.run(
      'measure',
      { job: converter.job, input },
      {
        engine: measuring,
        lane: 'measure',
        timeoutMs: TIMEOUT_MS,
        who: accountId,
        ...(signal ? { signal } : {}),
      },
    )
    return { measure: withinLimit(measured), problem: null }
  } catch (error) {
    signal?.throwIfAborted()
    return { measure: {}, problem: error instanceof JobFailure ? error.reason : message('input.unreadable') }
  }
}
