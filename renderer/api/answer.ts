import { ApiError, errorFromBody, unreachable } from './errors.ts'
import { announceSignedOut } from './signed-out.ts'

/**
 * The answer to a request.
 * @throws {ApiError} if it is refused, or never arrives
 */
export async function answerOf(sent: Promise<Response>): Promise<Response> {
  const response = await sent.catch(() => {
    throw new ApiError(0, unreachable)
  })
  if (response.ok) return response
  if (response.status === 401) announceSignedOut()
  const text = await response.text().catch(() => '')
  throw errorFromBody(response.status, text, response.headers.get('retry-after'))
}
