import { join, type Transcript } from './transcript.ts'

/** A tidy transcript with the fields that Whisper's own program writes, times in seconds; the times of words where they are known. */
export function writeJson(transcript: Transcript): string {
  const { language, durationSeconds, segments, engine } = transcript
  const content = {
    text: segments.map(({ text }) => text).reduce(join, ''),
    language,
    duration: rounded(durationSeconds),
    engine: engine.name,
    segments: segments.map(({ start, end, text, words = [] }, id) => ({
      ...{ id, start: rounded(start), end: rounded(end), text },
      words: words.map(word => ({ word: word.text, start: rounded(word.start), end: rounded(word.end) })),
    })),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000
