import { join, type Transcript } from './transcript.ts'

/** What one speaker says without a longer pause. */
export interface Paragraph {
  speaker: string | undefined
  start: number
  end: number
  text: string
}

/** Seconds of silence after which a new paragraph begins. */
const PAUSE = 2
/** Length from which a paragraph ends with its sentence, and length at which it ends anyhow. */
const LONG = 500
const LONGEST = 1500

/** Puts the segments of a tidy transcript together into paragraphs. */
export function paragraphsOf({ segments }: Transcript): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const { speaker, start, end, text } of segments) {
    const last = paragraphs.at(-1)
    if (last && last.speaker === speaker && start - last.end < PAUSE && !isFull(last.text)) {
      last.text = join(last.text, text)
      last.end = Math.max(last.end, end)
    } else {
      paragraphs.push({ speaker, start, end, text })
    }
  }
  return paragraphs
}

const isFull = (text: string) =>
  text.length > LONGEST || (text.length > LONG && /[.!?…。！？]["'”’»)]*$/.test(text))
