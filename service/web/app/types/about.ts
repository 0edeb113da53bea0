import type { EngineDescription } from '../../http/engine-description.ts'

export interface Session {
  account: { id: string; name: string }
  /** Whether it is the first account, whose holder manages the others. */
  isOwner: boolean
  balance: number
  /** Whether credits top up by themselves, so that nobody has to think of them. */
  autoTopUp: boolean
  version: string
  /** What everybody has to know once, such as that a damaged database was replaced; null if there is nothing. */
  notice: string | null
}

export interface About {
  version: string
  url: string
  dataFolder: string
  converters: { done: number; total: number }
  engines: EngineDescription[]
}
