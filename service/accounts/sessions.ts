import { randomBytes } from 'node:crypto'
import type { AccountStore, SessionRole, SessionToken } from '../store/interfaces/accounts.ts'
import { unlessFault } from '../store/interfaces/errors.ts'
import { digest } from './keys.ts'

const newToken = () => randomBytes(32).toString('base64url')

/** How long a link that opens the app on this machine stays valid. */
const OPEN_LIFETIME_MS = 5 * 60_000
/** How long a link that signs somebody in stays valid, which has to reach them first. */
export const SIGN_IN_LIFETIME_MS = 15 * 60_000
/** How long an unused session lasts. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3600_000
/** A session is extended at most this often. */
const PROLONG_EVERY_MS = 3600_000

/** Whom a session identifies. */
export interface Holder {
  accountId: string
  role: SessionRole
}

const digestOf = ({ cookie, page }: SessionToken) => digest(`${cookie}.${page}`)

/** A session as the holder of its account sees it. */
export interface ListedSession {
  id: string
  /** When it was last used, within the hour. */
  lastUsedAt: number
}

/**
 * Sessions of the page, which begin with a one-time token in a link. Only hashes of tokens are stored, so nothing on disk can open
 * the app; all times are the store's. The id of a session is the hash of its token.
 */
export class Sessions {
  readonly #store: AccountStore

  constructor(store: AccountStore) {
    this.#store = store
  }

  /** A token that opens the app once for the owner of the service, with an account. */
  openingLink(accountId: string, lifetimeMs = OPEN_LIFETIME_MS): Promise<string> {
    return this.#link({ accountId, role: 'owner' }, lifetimeMs)
  }

  /** A token that signs a member of an account in, once. */
  signInLink(accountId: string, lifetimeMs: number): Promise<string> {
    return this.#link({ accountId, role: 'member' }, lifetimeMs)
  }

  async #link(whom: Holder, lifetimeMs: number): Promise<string> {
    const token = newToken()
    const expiresAt = this.#store.now() + lifetimeMs
    await this.#store.addSession({ hash: digest(token), kind: 'link', ...whom, expiresAt })
    return token
  }

  /**
   * Exchanges the token of a link to a role for a session's; undefined if it is unknown, used or too old, or its account is closed.
   */
  async redeem(token: string, role: SessionRole): Promise<SessionToken | undefined> {
    const link = await this.#store.takeLink(digest(token))
    return link?.role === role && link.expiresAt > this.#store.now() ? this.start(link) : undefined
  }

  /** The token of a new session, for whoever has proved to be its holder. */
  async start({ accountId, role }: Holder): Promise<SessionToken> {
    const token = { cookie: newToken(), page: newToken() }
    const expiresAt = this.#store.now() + SESSION_LIFETIME_MS
    await this.#store.addSession({ hash: digestOf(token), kind: 'session', accountId, role, expiresAt })
    return token
  }

  /** The holder of a session's token. */
  async holderOf(
    token: SessionToken,
    now = this.#store.now(),
  ): Promise<(Holder & { sessionId: string }) | undefined> {
    const hash = digestOf(token)
    const session = await this.#store.session(hash)
    if (!session || session.expiresAt <= now) return undefined
    const expiresAt = now + SESSION_LIFETIME_MS
    if (expiresAt - session.expiresAt > PROLONG_EVERY_MS) {
      await this.#store.prolongSession(hash, expiresAt).catch(unlessFault)
    }
    return { accountId: session.accountId, role: session.role, sessionId: hash.toString('hex') }
  }

  /** An account's sessions, the one used last first. */
  async list(accountId: string): Promise<ListedSession[]> {
    return (await this.#store.sessions(accountId)).map(({ hash, expiresAt }) => ({
      id: Buffer.from(hash).toString('hex'),
      lastUsedAt: expiresAt - SESSION_LIFETIME_MS,
    }))
  }

  /** Ends a session; false if the account has none with this id. */
  end(accountId: string, id: string): Promise<boolean> {
    return this.#store.removeSession(accountId, Buffer.from(id, 'hex'))
  }
}
