/** What controls show of the file beside what is typed into them, where it is known. */
import { createContext } from 'react'

/** Size that the result is expected to have, in words. */
export const ExpectedSize = createContext<string | null>(null)

/** Loudest samples of equal stretches of a whole recording, 0 to 1. */
export const WholePeaks = createContext<readonly number[] | null>(null)
