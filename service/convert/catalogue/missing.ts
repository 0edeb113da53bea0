import type { Converter } from './converter.ts'
import { engines } from './engines.ts'

/** Whether a converter cannot work here: this machine lacks what its engine needs. */
export const isMissing = ({ engine }: Converter, unavailable: ReadonlySet<string>): boolean =>
  (engines[engine].needs ?? []).some(id => unavailable.has(id))
