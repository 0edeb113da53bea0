import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'

/** The refusal of what costs more credits than there are. */
export const insufficientCredits = (required: number, available: number): RequestError =>
  new RequestError(
    'entitlements.insufficient_credits',
    message('entitlements.insufficient_credits', { required, available }),
  )
