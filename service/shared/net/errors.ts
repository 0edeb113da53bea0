import { type Message, message } from '../messages/message.ts'
import { render } from '../messages/render.ts'

export type OutboundCode =
  | 'offline'
  | 'invalid_url'
  | 'invalid_scheme'
  | 'private_address'
  | 'dns_failure'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'unreachable'

/** A request that was not made or did not complete. */
export class OutboundError extends Error {
  readonly code: OutboundCode
  /** Why, for people. */
  readonly reason: Message
  /** Whether a redirect caused it, rather than the requested address. */
  redirected = false

  constructor(code: OutboundCode, reason: Message, options?: ErrorOptions) {
    super(render(reason), options)
    this.name = 'OutboundError'
    this.code = code
    this.reason = reason
  }
}

export const privateAddress = (host: string): OutboundError =>
  new OutboundError('private_address', message('network.private_address', { host }))
