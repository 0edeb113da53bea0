/** Facts about the file that controls show beside their values, if known. */
import { createContext, type ReactNode } from 'react'

/** Expected size of the result, as text. */
export const ExpectedSize = createContext<string | null>(null)

/** A video that can be played while it is cut. */
export interface PlayedVideo {
  url: string
  fps: number
  picture: (seconds: number) => ReactNode
}

/** The source of the file that options are about, if it is a video. */
export const SourceVideo = createContext<PlayedVideo | null>(null)

/** Address of the upright source of the file that options are about, if it is a single picture. */
export const SourcePicture = createContext<string | null>(null)

/** Loudest samples of equal intervals of a whole media file, 0 to 1. */
export const WholePeaks = createContext<readonly number[] | null>(null)

/** The pages of the file that options are about, if it is a single PDF whose pages were counted, from 1. */
export const SourcePages = createContext<{ pages: number; picture: (page: number) => ReactNode } | null>(null)

/** Expected sizes of the result, as text, by the values that words such as "small" stand for. */
export const WordSizes = createContext<Readonly<Record<string, string>>>({})
