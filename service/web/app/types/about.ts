import type { EngineDescription } from '../../http/engine-description.ts'

export interface Session {
  account: { id: string; name: string }
  balance: number
  version: string
}

export interface About {
  version: string
  url: string
  dataFolder: string
  converters: { done: number; total: number }
  engines: EngineDescription[]
}
