import { text } from '../../messages/text.ts'
import type { Joined } from './choices.ts'

/** What joining files into this is called. */
export const joinText = (into: Joined): string =>
  text(into === 'pdf' ? 'convert.joinPdf' : 'convert.joinRecording')
