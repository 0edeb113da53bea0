import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

export const corrupt = (): JobFailure => new JobFailure('jobs.corrupt_input', message('heic.damaged'))

export const unknownCoding = (): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('heic.unknown_coding'))
