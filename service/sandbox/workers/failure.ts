import { inspect } from 'node:util'
import { asJobFailure, JobFailure } from '../../shared/errors.ts'
import type { FailedTask } from './protocol.ts'

/** Longest log text of one error, in characters. */
const LOG_LIMIT = 16_384

/** What a worker reports about an error: the safe reason for people, and the stack with all causes for the log. */
export function describeFailure(thrown: unknown): FailedTask {
  const error = asJobFailure(thrown)
  if (!(error instanceof JobFailure)) {
    const { code, reason } = new JobFailure('jobs.engine_crashed')
    return { code, reason, log: logOf(thrown), isUnexpected: true }
  }
  const { code, reason } = error
  return {
    code,
    reason,
    // A reason alone needs no log; an error with a cause is worth logging with its stack.
    ...(error !== thrown || error.cause !== undefined ? { log: logOf(thrown) } : {}),
    isUnexpected: false,
  }
}

/** Stack of an error, including those of its causes. */
const logOf = (error: unknown) => inspect(error, { depth: 4 }).slice(0, LOG_LIMIT)
