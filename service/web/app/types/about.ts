import type { EngineDescription } from '../../http/engine-description.ts'

export type { EncoderTrial } from '../../../convert/catalogue/engines.ts'

export interface Session {
  account: { id: string; name: string }
  /** Whether this is the owner of the service, who may use its machine and manages the accounts. */
  isOwner: boolean
  balance: number
  /** Whether credits top up by themselves, so that nobody has to think of them. */
  autoTopUp: boolean
  /** Whether watched folders may send originals to the recycle bin, which is that of the person at this machine. */
  canRecycle: boolean
  version: string
  /** Names for people of all sources and targets, by their keys. */
  formatNames: Record<string, string>
  /** What everybody has to know once, such as that a damaged database was replaced; null if there is nothing. */
  notice: string | null
}

/** A browser that is signed in to the account. */
export interface SignedIn {
  id: string
  /** Within the hour. */
  lastUsedAt: string
  /** Whether it is the one that asks. */
  isThis: boolean
}

export interface About {
  version: string
  url: string
  dataFolder: string
  converters: { done: number; total: number }
  engines: EngineDescription[]
}
