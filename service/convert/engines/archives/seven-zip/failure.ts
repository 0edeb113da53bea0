import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/** @param method its name, such as `Zstandard` */
export const unsupportedMethod = (method: string): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('archive.method_named', { method }))

/** Interprets 7-Zip's messages. File names in them are left out, since they come from the archive. */
export function failureOf(log: string, hasPassword: boolean): JobFailure {
  if (/Wrong password|encrypted archive|Enter password|Break signaled|Data Error in encrypted/i.test(log)) {
    const reason = message(hasPassword ? 'archive.wrong_password' : 'archive.needs_password')
    return new JobFailure('jobs.encrypted_input', reason)
  }
  if (/Missing volume/i.test(log))
    return new JobFailure('jobs.corrupt_input', message('archive.multi_volume'))
  if (/Unsupported Method/i.test(log)) {
    return new JobFailure('jobs.unsupported_input', message('archive.method'))
  }
  if (/Cannot allocate|Can't allocate/i.test(log)) return new JobFailure('jobs.too_large')
  if (/Cannot open the file as/i.test(log)) {
    return new JobFailure('jobs.corrupt_input', message('archive.not_this_format'))
  }
  return new JobFailure('jobs.corrupt_input', message('archive.damaged'))
}
