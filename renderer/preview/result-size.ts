import { size } from '../ui/format.ts'

/** What a conversion makes of a file. */
export interface ResultSize {
  bytes: number
  /** Whether `bytes` is extrapolated from a part of the file. */
  isEstimate: boolean
}

/**
 * A size as text, marked if it is not exact.
 * @param factor how many times as large what the file stands for is
 */
export const sizeInWords = ({ bytes, isEstimate }: ResultSize, factor = 1): string =>
  `${isEstimate || factor !== 1 ? '≈\u00a0' : ''}${size(bytes * factor)}`
