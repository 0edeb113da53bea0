import { describe, expect, test } from 'vitest'
import { type Piece, utterancesOf } from './words.ts'

/** Consecutive tokens with this duration in milliseconds; a number is a pause. */
function spoken(pieces: readonly (string | number)[], each = 300) {
  const segments: Piece[] = []
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') segments.push({ text: piece, t0: at, t1: at + each })
    at += typeof piece === 'number' ? piece : each
  }
  return { segments, result: segments.map(({ text }) => text).join(''), seconds: at / 1000 }
}

const heard = (pieces: readonly (string | number)[], each?: number) => {
  const { seconds, ...result } = spoken(pieces, each)
  return utterancesOf(result, seconds)
}
const textsOf = (utterances: { text: string }[]) => utterances.map(({ text }) => text)

// As returned by the addon with `tokenTimestamps` and `maxLen: 1`: a segment for each token.
const kennedy = [' And', ' so', ',', ' my', ' fellow', ' Amer', 'icans', ',', ' ask', ' not', '.']

describe('words from tokens', () => {
  test('a space starts a word; endings and commas belong to the previous one; times are in seconds', () => {
    const [utterance, ...others] = heard(kennedy)
    expect(others).toEqual([])
    expect(utterance).toMatchObject({ start: 0, end: 3.3, text: 'And so, my fellow Americans, ask not.' })
    expect(textsOf(utterance?.words ?? [])).toEqual([
      ...['And', 'so,', 'my', 'fellow', 'Americans,', 'ask', 'not.'],
    ])
    expect(utterance?.words?.[4]).toEqual({ start: 1.5, end: 2.4, text: 'Americans,' })
  })

  test('split letters are restored from the whole text', () => {
    const { segments } = spoken([
      ' \ufffd',
      '\ufffd',
      ' caf',
      '\ufffd',
      '\ufffd',
      ' is',
      ' \ufffd\ufffd',
      '\ufffd',
    ])
    const [utterance] = utterancesOf({ segments, result: ' Ж café is 🎧' }, 10)
    expect(utterance?.text).toBe('Ж café is 🎧')
    expect(textsOf(utterance?.words ?? [])).toEqual(['Ж', 'café', 'is', '🎧'])
    expect(utterance?.words?.[1]).toEqual({ start: 0.6, end: 1.5, text: 'café' })
  })

  test('in scripts without spaces, each token is a word, with its punctuation', () => {
    const [utterance] = heard(['今天', '天气', '很', '好', '。'])
    expect(utterance?.text).toBe('今天天气很好。')
    expect(textsOf(utterance?.words ?? [])).toEqual(['今天', '天气', '很', '好。'])
  })
})

describe('utterances from words', () => {
  test('end with a pause', () => {
    expect(textsOf(heard([' one', ' two', 1500, ' three']))).toEqual(['one two', 'three'])
  })

  test('end with a sentence, unless it is very short, such as an abbreviation', () => {
    const sentence = [' This', ' is', ' Mr', '.', ' Smith', ' who', ' is', ' going', ' home', ' now', '.']
    expect(textsOf(heard([...sentence, ' He', ' left', '.'], 400))).toEqual([
      'This is Mr. Smith who is going home now.',
      'He left.',
    ])
  })

  test('have a maximum length', () => {
    const utterances = heard(Array(200).fill(' la'))
    expect(utterances).toHaveLength(3)
    for (const { start, end } of utterances) expect(end - start).toBeLessThanOrEqual(30)
  })

  test('leave out noises, and words after the end', () => {
    expect(textsOf(heard([' [', 'Music', ']', ' Hello', ' there', ' (', 'app', 'lause', ')', ' ♪']))).toEqual(
      ['Hello there'],
    )
    const { segments, result } = spoken(kennedy)
    expect(utterancesOf({ segments, result }, 0.9)[0]).toMatchObject({ end: 0.9, text: 'And so,' })
    expect(utterancesOf({ segments: [], result: '' }, 5)).toEqual([])
  })

  test('are the segments themselves if tokens have no times', () => {
    const segments = [
      { text: ' And so, my fellow Americans,', t0: 0, t1: 3500 },
      { text: ' [Music]', t0: 3500, t1: 4000 },
      { text: ' ask not', t0: 4000, t1: 20_000 },
    ]
    expect(utterancesOf({ segments, result: '' }, 11)).toEqual([
      { start: 0, end: 3.5, text: 'And so, my fellow Americans,' },
      { start: 4, end: 11, text: 'ask not' },
    ])
  })
})
