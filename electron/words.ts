/** Texts of the shell, in the language of the page. */
import { app } from 'electron'
import { bestLanguage } from '../languages/tags.ts'
import { loadLanguage } from '../service/shared/messages/languages.ts'
import type { Message } from '../service/shared/messages/message.ts'
import { render } from '../service/shared/messages/render.ts'

let language = 'en'

/** BCP 47 tag of the current language. */
export const shellLanguage = (): string => language

/** Sets the language from now on. */
export async function setLanguage(tag: string): Promise<void> {
  await loadLanguage(tag)
  language = tag
}

/** The first available language of the system, until the page has reported its own. */
export const systemLanguage = (): string => bestLanguage(app.getPreferredSystemLanguages())

/** A message for the person in front of the computer. */
export const translate = (sentence: Message): string => render(sentence, language)
