import { join, type Segment, type Transcript } from './transcript.ts'

export interface Sentence {
  text: string
  start: number
  speaker: string | undefined
}

/** Anything longer is not a sentence: the engine writes no punctuation. */
const LONGEST = 400

/** Sentences of a tidy transcript; without punctuation, its segments. */
export function sentencesOf({ segments, language }: Transcript): Sentence[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  return turnsOf(segments).flatMap(turn => {
    let text = ''
    const marks: { at: number; start: number }[] = []
    for (const segment of turn) {
      const longer = join(text, segment.text)
      marks.push({ at: longer.length - segment.text.length, start: segment.start })
      text = longer
    }
    const { speaker } = turn[0]!
    const parts = [...segmenter.segment(text)]
    if (parts.some(({ segment }) => segment.length > LONGEST)) {
      return turn.map(segment => ({ text: segment.text, start: segment.start, speaker }))
    }
    return parts.map(({ segment, index }) => ({
      text: segment.trim(),
      start: marks.findLast(({ at }) => at <= index)?.start ?? turn[0]!.start,
      speaker,
    }))
  })
}

/** Consecutive segments of one speaker. */
function turnsOf(segments: Segment[]): Segment[][] {
  const turns: Segment[][] = []
  for (const segment of segments) {
    if (turns.at(-1)?.at(-1)?.speaker === segment.speaker && turns.length > 0) turns.at(-1)?.push(segment)
    else turns.push([segment])
  }
  return turns
}
