import { inspect } from 'node:util'
import type { TaskInput } from '../../convert/catalogue/task.ts'
import { asJobFailure, JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { pictureKind, pictureSignatures, readHead } from '../../shared/picture-signatures.ts'
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

/** Whether a byte is none that texts have: of control characters, they have tabs, ends of lines and pages, and escapes. */
const isBinary = (byte: number) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)

/** Says of a text that is only called a picture what it is, instead of that it is damaged. */
export async function explained(thrown: unknown, input: Pick<TaskInput, 'path' | 'format'> | undefined) {
  const isDamaged = thrown instanceof JobFailure && thrown.reason.key === 'jobs.corrupt_input'
  if (!isDamaged || !pictureSignatures.some(([kind]) => kind === input?.format)) return thrown
  const head = await readHead(input?.path ?? '')
  if (pictureKind(head) || head.some(isBinary)) return thrown
  return new JobFailure('jobs.corrupt_input', message('picture.is_text'), { cause: thrown })
}

/** Stack of an error, including those of its causes. */
const logOf = (error: unknown) => inspect(error, { depth: 4 }).slice(0, LOG_LIMIT)
