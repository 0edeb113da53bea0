import type { Converter } from '../../convert/catalogue/converter.ts'
import { measuring } from '../../convert/catalogue/engines.ts'
import type { Measure, TaskInput } from '../../convert/catalogue/task.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import { JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'

/** Longest JSON of findings stored with a file; a file may describe itself at any length. */
const PROBE_CHARACTERS = 64 * 1024

/** The caller who waits for a file to be measured. */
export interface Waiter {
  /** Accounts take turns. */
  accountId: string
  /** Aborts when the caller no longer waits. */
  signal?: AbortSignal | undefined
}

/** The size of a file as far as it is known, and why it is not where it is not. */
export type Measured = Pick<FileRecord, 'measure' | 'problem'>

/** The measure, without its findings if they are too long: the work then reads the file itself. */
function withinLimit({ probe, ...size }: Measure): Measure {
  return probe !== undefined && JSON.stringify(probe).length <= PROBE_CHARACTERS ? { ...size, probe } : size
}

/**
 * Counts the pages or minutes of a file, as far as the converter's price depends on them. Parsing happens in a worker.
 * @returns no measure, but the reason, if the file cannot be read: it then costs one unit, and the job fails
 * with the right code
 * @throws the signal's reason when the caller no longer waits
 */
export async function measure(
  pool: WorkerPool,
  converter: Converter,
  input: TaskInput,
  { accountId, signal }: Waiter,
): Promise<Measured> {
  if (!converter.measure) return { measure: {}, problem: null }
  try {
    const waiter = { ...measuring, who: accountId, ...(signal ? { signal } : {}) }
    const measured = await pool.run('measure', { job: converter.job, input }, waiter)
    return { measure: withinLimit(measured), problem: null }
  } catch (error) {
    signal?.throwIfAborted()
    return { measure: {}, problem: error instanceof JobFailure ? error.reason : message('input.unreadable') }
  }
}
