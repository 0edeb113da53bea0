import type { FastifyRequest } from 'fastify'
import { isLanguage, type LanguageTag } from '../../../languages/tags.ts'
import { currentLanguage, inLanguage, loadLanguage } from '../../shared/messages/languages.ts'
import type { Routes } from './schema.ts'

/** The page sends its language in a cookie, which also accompanies live events and uploads. Programs get English. */
const COOKIE = /(?:^|;\s*)refile_language=([A-Za-z-]+)(?:;|$)/

/** The language in which a request is answered. */
export function languageOf(request: FastifyRequest): LanguageTag {
  const asked = COOKIE.exec(request.headers.cookie ?? '')?.[1]
  return isLanguage(asked) ? asked : 'en'
}

/** Makes every message of a request appear in the request's language. */
export function speakLanguages(app: Routes): void {
  app.addHook('onRequest', request => loadLanguage(languageOf(request)))
  // The route runs within `done`. Steps before it, such as reading the body, may have left the context of the first hooks.
  app.addHook('preHandler', (request, _reply, done) => inLanguage(languageOf(request), done))
}

/** Binds a listener to the current language, wherever it is called from later. */
export function inSameLanguage<Value>(listener: (value: Value) => void): (value: Value) => void {
  const language = currentLanguage()
  return value => inLanguage(language, () => listener(value))
}
