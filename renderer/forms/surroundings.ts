/** Facts about the file that controls show beside their values, if known. */
import { createContext, type ReactNode } from 'react'

/** A video that can be played while it is cut. */
export interface PlayedVideo {
  url: string
  fps: number
  picture: (seconds: number) => ReactNode
}

interface Known {
  /** Expected size of the result, as text. */
  size?: string | null
  /** Expected sizes of the result, as text, by the values that words such as "small" stand for. */
  sizes?: Readonly<Record<string, string>>
  /** Address of the upright source, if it is a single picture. */
  picture?: string | null
  /** The source, if it is a video. */
  video?: PlayedVideo | null
  /** Loudest samples of equal intervals of the whole media file, 0 to 1. */
  peaks?: readonly number[] | null
  /** Its pages, if it is a single PDF whose pages were counted, from 1. */
  pages?: { pages: number; picture: (page: number) => ReactNode } | null
}

export const Surroundings = createContext<Known>({})
