import { totalmem } from 'node:os'

/**
 * Share of the machine's memory that conversions may use; the rest is left to the service, the window and other programs.
 */
const SHARE = 0.7

/** Bytes that all worker processes together may use on this machine, or in its container. */
export function memoryBudgetBytes(): number {
  // 0, or more than the machine has, if the process is not constrained.
  const constrained = process.constrainedMemory()
  return SHARE * (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem())
}
