import { IntlMessageFormat } from 'intl-messageformat'
import { catalogue as en } from './en/index.ts'
import type { Message, MessageKey } from './message.ts'

/** Languages the service speaks, each with every message. */
const catalogues: Record<string, Readonly<Record<MessageKey, string>>> = { en }

/** Longest sentence that is shown or sent, in characters; the contract's limit for webhooks. */
export const SENTENCE_LIMIT = 256

const formats = new Map<string, IntlMessageFormat>()

/** A message in words, at most `SENTENCE_LIMIT` characters; English where the language is unknown. */
export function render({ key, parameters }: Message, language = 'en'): string {
  const known = catalogues[language] ? language : 'en'
  const text: string | undefined = catalogues[known]?.[key]
  // A job may have been stored by a version that knew other messages.
  if (text === undefined) return key
  const sentence = parameters ? formatOf(known, text).format(parameters) : text
  const whole = String(sentence)
  return whole.length > SENTENCE_LIMIT ? `${whole.slice(0, SENTENCE_LIMIT - 1)}…` : whole
}

function formatOf(language: string, text: string): IntlMessageFormat {
  const id = `${language} ${text}`
  let format = formats.get(id)
  if (!format) {
    format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
    formats.set(id, format)
  }
  return format
}
