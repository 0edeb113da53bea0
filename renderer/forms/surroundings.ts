/** Facts about the file that controls show beside their values, if known. */
import { createContext } from 'react'

/** Expected size of the result, as text. */
export const ExpectedSize = createContext<string | null>(null)

/** Loudest samples of equal intervals of a whole recording, 0 to 1. */
export const WholePeaks = createContext<readonly number[] | null>(null)
