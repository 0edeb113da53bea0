/** Texts of the shell, in the language of the page. */
import { app } from 'electron'
import { languages, loadLanguage } from '../service/shared/messages/languages.ts'
import type { Message } from '../service/shared/messages/message.ts'
import { render } from '../service/shared/messages/render.ts'

let language = 'en'

/** BCP 47 tag of the current language. */
export const shellLanguage = (): string => language

export const isLanguage = (tag: unknown): tag is string => typeof tag === 'string' && languages.includes(tag)

/** Sets the language from now on. */
export async function speak(tag: string): Promise<void> {
  await loadLanguage(tag)
  language = tag
}

/** The first available language of the system, until the page has reported its own. */
export function systemLanguage(): string {
  const tags = app.getPreferredSystemLanguages().map(tag => tag.toLowerCase().split('-')[0])
  return tags.find(isLanguage) ?? 'en'
}

/** A message for the person in front of the computer. */
export const say = (sentence: Message): string => render(sentence, language)
