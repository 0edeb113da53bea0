import { totalmem } from 'node:os'

/** Share of the machine's memory that converting may take; the rest is the service's, the window's and everybody else's. */
const SHARE = 0.7

/** Bytes that worker processes may take together on this machine, or in the container it runs in. */
export function memoryBudgetBytes(): number {
  // 0 or more than there is when nothing constrains the process.
  const constrained = process.constrainedMemory()
  return SHARE * (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem())
}
