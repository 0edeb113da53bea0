import { createHash, randomBytes } from 'node:crypto'

const digest = (token: string) => createHash('sha256').update(token).digest('hex')
const newToken = () => randomBytes(32).toString('base64url')

/** Milliseconds a link may wait to be opened. */
const LINK_LIFETIME = 5 * 60_000
/** Milliseconds a session lives without being used. */
const SESSION_LIFETIME = 30 * 24 * 3600_000

/**
 * The app's own sessions: a one-time token in the URL that is opened becomes a cookie. Both are kept as hashes,
 * in memory only, so that nothing on disk opens the app.
 */
export class Sessions {
  readonly #links = new Map<string, { accountId: string; until: number }>()
  readonly #sessions = new Map<string, { accountId: string; until: number }>()

  /** A token that opens one session for an account, once. */
  issueLink(accountId: string, now = Date.now()): string {
    for (const [hash, link] of this.#links) if (link.until <= now) this.#links.delete(hash)
    const token = newToken()
    this.#links.set(digest(token), { accountId, until: now + LINK_LIFETIME })
    return token
  }

  /** Trades a link's token for a session's; undefined when it is unknown, used or too old. */
  redeem(token: string, now = Date.now()): string | undefined {
    const hash = digest(token)
    const link = this.#links.get(hash)
    this.#links.delete(hash)
    if (!link || link.until <= now) return undefined
    const session = newToken()
    this.#sessions.set(digest(session), { accountId: link.accountId, until: now + SESSION_LIFETIME })
    return session
  }

  /** The account a session's token stands for. */
  accountOf(token: string, now = Date.now()): string | undefined {
    const session = this.#sessions.get(digest(token))
    if (!session || session.until <= now) return undefined
    session.until = now + SESSION_LIFETIME
    return session.accountId
  }
}
