import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'

/**
 * The times of a period in milliseconds since 1970.
 * @throws RequestError request.invalid_parameter for an invalid time
 */
export const periodOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: time(from),
  to: time(to),
})

function time(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new RequestError('request.invalid_parameter', message('request.not_a_time', { text }))
  return at
}
