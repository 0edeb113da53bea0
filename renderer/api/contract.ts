/** Shapes of the contract's routes that the page uses with its own session. */
import type { Costing } from '../../service/convert/catalogue/costing.ts'
import type { OptionProperties } from '../../service/convert/catalogue/options.ts'

export interface Conversion {
  job: string
  category: string
  costing: Costing
  inputFormats: string[]
}

/** What `GET /health` returns besides the engines. */
export interface Health {
  /** What workers are confined from; null until one has started. */
  sandbox: Record<'files' | 'systemCalls' | 'network', boolean | null>
}

export interface Catalogue {
  conversions: Conversion[]
  /** What each format can become, and by which job. */
  sourceFormatTo: Record<string, { targetFormat: string; job: string }[]>
}

/** JSON Schema (draft 2020-12) of the options of one conversion. */
export interface OptionsSchema {
  type: 'object'
  properties: OptionProperties
  additionalProperties: boolean
}
