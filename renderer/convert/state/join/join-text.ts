import { text } from '../../../messages/text.ts'
import type { Joined } from '../choose/choices.ts'

const titles = {
  pdf: 'convert.joinPdf',
  video: 'convert.joinVideo',
  audio: 'convert.joinRecording',
} as const

/** What joining files into this is called. */
export const joinText = (into: Joined): string => text(titles[into])
