import { join, type Transcript } from './transcript.ts'

/** A stretch without a long pause. */
export interface Paragraph {
  start: number
  end: number
  text: string
}

/** Seconds of silence after which a new paragraph begins. */
const PAUSE = 2
/** From this length on a paragraph ends with its sentence; at the second length it ends in any case. */
const LONG = 500
const LONGEST = 1500

/** Combines the segments of a tidy transcript into paragraphs. */
export function paragraphsOf({ segments }: Transcript): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const { start, end, text } of segments) {
    const last = paragraphs.at(-1)
    if (last && start - last.end < PAUSE && !isLongEnough(last.text)) {
      last.text = join(last.text, text)
      last.end = Math.max(last.end, end)
    } else {
      paragraphs.push({ start, end, text })
    }
  }
  return paragraphs
}

const isLongEnough = (text: string) =>
  text.length > LONGEST || (text.length > LONG && /[.!?…。！？]["'”’»)]*$/.test(text))
