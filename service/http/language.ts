import type { FastifyRequest } from 'fastify'
import { languages, loadLanguage, speaking, spokenLanguage } from '../messages/languages.ts'
import type { Routes } from './schema.ts'

/** The page says its language with a cookie, which goes along with live events and uploads too. Programs get English. */
const COOKIE = /(?:^|;\s*)refile_language=([a-z]{2,3})(?:;|$)/

/** The language a request asks to be answered in. */
export function languageOf(request: FastifyRequest): string {
  const asked = COOKIE.exec(request.headers.cookie ?? '')?.[1]
  return asked !== undefined && languages.includes(asked) ? asked : 'en'
}

/** Everything that is said while a request is answered is said in its language. */
export function speakLanguages(app: Routes): void {
  app.addHook('onRequest', request => loadLanguage(languageOf(request)))
  // The route runs within `done`. What comes before it, such as reading the body, may have left the context of the first hooks.
  app.addHook('preHandler', (request, _reply, done) => speaking(languageOf(request), done))
}

/** Binds a listener to the language spoken now, however it is called later. */
export function inSameLanguage<Value>(listener: (value: Value) => void): (value: Value) => void {
  const language = spokenLanguage()
  return value => speaking(language, () => listener(value))
}
