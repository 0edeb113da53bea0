import type { Converter } from './converter.ts'
import { engines } from './engines.ts'

/** Whether a converter cannot work here: it has none yet, or what its engine needs is not on this machine. */
export const isMissing = ({ load, engine }: Converter, unavailable: ReadonlySet<string>): boolean =>
  !load || (engines[engine].needs ?? []).some(id => unavailable.has(id))
