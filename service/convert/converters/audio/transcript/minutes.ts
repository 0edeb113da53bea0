import { type Action, actionOf, knowsActions, type Quote } from './actions.ts'
import { type Paragraph, paragraphsOf } from './paragraphs.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import type { Transcript } from './transcript.ts'

export interface Speaker {
  name: string
  /** Time they spoke. */
  seconds: number
  /** Share of all speech, 0 to 1. */
  share: number
  turns: number
}

/** A meeting at a glance. Everything in it is selected by rules from the transcript; nothing is composed. */
export interface Minutes {
  /** Says that all this is automatic, and what could not be done. */
  notice: string
  speakers: Speaker[]
  summary: Quote[]
  actions: Action[]
  turns: Paragraph[]
}

/** Creates the minutes of a tidy transcript. */
export function minutes(transcript: Transcript): Minutes {
  const sentences = sentencesOf(transcript)
  const found = knowsActions(transcript.language)
  return {
    notice: [
      'These minutes were made automatically: the summary and the action items are sentences picked from the recording by rule. Check them before you rely on them.',
      ...(found ? [] : ['Action items are looked for in English, French, German and Spanish only.']),
    ].join(' '),
    speakers: speakersOf(transcript),
    summary: summaryOf(sentences, transcript.language),
    actions: sentences.flatMap(sentence => actionOf(sentence, transcript.language) ?? []).slice(0, 50),
    turns: paragraphsOf(transcript),
  }
}

function speakersOf({ segments }: Transcript): Speaker[] {
  const speakers = new Map<string, Speaker>()
  let previous: string | undefined
  for (const { speaker, start, end } of segments) {
    if (speaker !== undefined) {
      const known = speakers.get(speaker) ?? { name: speaker, seconds: 0, share: 0, turns: 0 }
      known.seconds += end - start
      if (speaker !== previous) known.turns++
      speakers.set(speaker, known)
    }
    previous = speaker
  }
  const total = [...speakers.values()].reduce((sum, { seconds }) => sum + seconds, 0)
  return [...speakers.values()]
    .map(speaker => ({ ...speaker, share: total > 0 ? speaker.seconds / total : 0 }))
    .toSorted((a, b) => b.seconds - a.seconds)
}

/** A shorter recording is its own summary. */
const MIN_SENTENCES = 6
const MIN_WORDS = 5

/**
 * The sentences with the most relevant words: a word is relevant if it recurs, but not everywhere (its count times the
 * logarithm of its rarity among the sentences). Near repetitions of a chosen sentence are skipped.
 */
function summaryOf(sentences: Sentence[], language: string): Quote[] {
  const bags = sentences.map(({ text }) => wordsOf(text, language))
  const candidates = bags.filter(bag => bag.size >= MIN_WORDS).length
  if (candidates < MIN_SENTENCES) return []
  const counts = new Map<string, number>()
  for (const bag of bags) for (const word of bag) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weight = (word: string) => {
    const count = counts.get(word) ?? 0
    return count > 1 ? count * Math.log(bags.length / count) : 0
  }
  const ranked = sentences
    .map((sentence, nth) => ({ sentence, bag: bags[nth]! }))
    .filter(({ bag }) => bag.size >= MIN_WORDS)
    .map(({ sentence, bag }) => ({
      sentence,
      bag,
      score: [...bag].reduce((sum, word) => sum + weight(word), 0) / Math.sqrt(bag.size + 5),
    }))
    .toSorted((a, b) => b.score - a.score)
  const chosen: typeof ranked = []
  const wanted = Math.min(7, Math.max(3, Math.round(candidates / 10)))
  for (const candidate of ranked) {
    if (chosen.length === wanted) break
    if (chosen.every(({ bag }) => similarity(bag, candidate.bag) < 0.5)) chosen.push(candidate)
  }
  return chosen
    .map(({ sentence: { text, start, speaker } }) => ({ text, start, speaker }))
    .toSorted((a, b) => a.start - b.start)
}

/** Words that may carry meaning: words of up to three letters rarely do, except in scripts where two make a word. */
function wordsOf(text: string, language: string): Set<string> {
  const words = new Set<string>()
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    if (
      isWordLike &&
      (segment.length > 3 || /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]/u.test(segment))
    ) {
      words.add(segment.toLocaleLowerCase(language))
    }
  }
  return words
}

function similarity(a: Set<string>, b: Set<string>): number {
  const shared = a.intersection(b).size
  return shared / (a.size + b.size - shared)
}
