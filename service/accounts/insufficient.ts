import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'

/** The refusal of a job that costs more credits than are available. */
export const insufficientCredits = (required: number, available: number): RequestError =>
  new RequestError(
    'entitlements.insufficient_credits',
    message('entitlements.insufficient_credits', { required, available }),
  )

/** The refusal of a job that costs more than an API key's budget has left this month; the code is the same. */
export const overBudget = (
  required: number,
  { budget, spent }: { budget: number; spent: number },
): RequestError =>
  new RequestError(
    'entitlements.insufficient_credits',
    message('entitlements.over_budget', { required, budget, left: Math.max(0, budget - spent) }),
  )
