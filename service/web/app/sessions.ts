import { createHash, randomBytes } from 'node:crypto'
import type { AccountStore } from '../../store/interfaces/accounts.ts'
import { unlessFault } from '../../store/interfaces/errors.ts'

const digest = (token: string) => createHash('sha256').update(token).digest()
const newToken = () => randomBytes(32).toString('base64url')

/** How long a link stays valid. */
const LINK_LIFETIME_MS = 5 * 60_000
/** How long an unused session lasts. */
const SESSION_LIFETIME_MS = 30 * 24 * 3600_000
/** A session is extended at most this often. */
const PROLONG_EVERY_MS = 3600_000

/**
 * The app's own sessions: a one-time token in the opened URL becomes a cookie. Only hashes of both are stored, so nothing
 * on disk can open the app.
 */
export class Sessions {
  readonly #store: AccountStore

  constructor(store: AccountStore) {
    this.#store = store
  }

  /** A token that opens one session for an account, once. */
  async issueLink(accountId: string, now = this.#store.now()): Promise<string> {
    const token = newToken()
    await this.#store.addSession({
      hash: digest(token),
      kind: 'link',
      accountId,
      expiresAt: now + LINK_LIFETIME_MS,
    })
    return token
  }

  /** Exchanges a link's token for a session's; undefined if it is unknown, used or too old. */
  async redeem(token: string, now = this.#store.now()): Promise<string | undefined> {
    const link = await this.#store.takeLink(digest(token))
    if (!link || link.expiresAt <= now) return undefined
    const session = newToken()
    await this.#store.addSession({
      hash: digest(session),
      kind: 'session',
      accountId: link.accountId,
      expiresAt: now + SESSION_LIFETIME_MS,
    })
    return session
  }

  /** The account of a session's token. */
  async accountOf(token: string, now = this.#store.now()): Promise<string | undefined> {
    const hash = digest(token)
    const session = await this.#store.session(hash)
    if (!session || session.expiresAt <= now) return undefined
    const expiresAt = now + SESSION_LIFETIME_MS
    if (expiresAt - session.expiresAt > PROLONG_EVERY_MS) {
      await this.#store.prolongSession(hash, expiresAt).catch(unlessFault)
    }
    return session.accountId
  }
}
