import { formatIcu } from '../../../languages/icu.ts'
import { currentLanguage, textsOf } from './languages.ts'
import type { Message } from './message.ts'

/** Longest message that is shown or sent, in characters; the contract's limit for webhooks. */
export const SENTENCE_LIMIT = 256

/** A message in words, at most `SENTENCE_LIMIT` characters, in the current language; English if that is not loaded. */
export function render({ key, parameters }: Message, wanted = currentLanguage()): string {
  const { language, texts } = textsOf(wanted)
  const text: string | undefined = texts[key]
  // The job may come from a version with other messages, or other parameters.
  if (text === undefined) return key
  const whole = parameters ? inWords(language, text, parameters) : text
  if (whole === undefined) return key
  // A surrogate pair is not split.
  return whole.length > SENTENCE_LIMIT
    ? `${whole.slice(0, SENTENCE_LIMIT - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : whole
}

/** Undefined if the text now has other parameters. */
function inWords(language: string, text: string, parameters: NonNullable<Message['parameters']>) {
  try {
    return formatIcu(language, text, parameters)
  } catch {
    return undefined
  }
}
