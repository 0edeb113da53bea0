import type { Transcript, TranscriptSegment } from '../service/convert/converters/audio/transcript/index.ts'

export const transcriptOf = (
  segments: TranscriptSegment[],
  change: Partial<Transcript> = {},
): Transcript => ({
  language: 'en',
  durationSeconds: segments.at(-1)?.end ?? 12,
  segments,
  engine: { name: 'Test engine' },
  ...change,
})

const lines = [
  'Welcome, everyone. Today we talk about the budget of the new website and about the launch.',
  "The website is nearly finished. I'll send the final design to the customer by Friday.",
  'Good. The budget for the website was forty thousand, and we have spent thirty-one thousand of it.',
  'The customer asked for a second language on the website. That was not part of the budget.',
  'Can you write an offer for the second language? Please call the customer before next week.',
  'The launch of the website depends on the servers. It will take about three days to move them.',
  'We need to order the new servers tomorrow. Otherwise the launch is late.',
  'Will the customer pay for the servers? I do not think that they are in the budget either.',
  'No, they are not. The launch of the website stays on the first of March.',
  'Thank you. That was all from my side & the <b>servers</b> --> done.',
]

/** A meeting with ten turns of six seconds each, and pauses between them. */
export const meeting: Transcript = transcriptOf(
  lines.map((text, nth) => ({ start: nth * 9, end: nth * 9 + 6, text })),
  { engine: { name: 'Test engine', note: 'This engine knows English only.' } },
)
