/** Sentences that were stored in words, by versions that had no messages. */
export const stored = {
  'stored.text': '{text}',
} as const
