import type { Converter } from './converter.ts'
import { engines } from './engines.ts'

/** Whether a converter cannot work here: it is not implemented, or this machine lacks what its engine needs. */
export const isMissing = ({ load, engine }: Converter, unavailable: ReadonlySet<string>): boolean =>
  !load || (engines[engine].needs ?? []).some(id => unavailable.has(id))
