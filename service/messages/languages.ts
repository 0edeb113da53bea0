import { AsyncLocalStorage } from 'node:async_hooks'
import { catalogue as en } from './en/index.ts'

/** Every message in one language, as ICU text. */
export type Catalogue = Readonly<Record<keyof typeof en, string>>

/** Languages the service speaks, by BCP 47 tag. English is always loaded, the others when somebody first asks for them. */
const loaders: Record<string, () => Promise<Catalogue>> = {}

const loaded = new Map<string, Catalogue>([['en', en]])
const spoken = new AsyncLocalStorage<string>()

/** Every language there is, English first. */
export const languages: readonly string[] = ['en', ...Object.keys(loaders)]

/** The messages of a language; English where it is unknown or not yet loaded. */
export const catalogueOf = (language: string): { language: string; texts: Catalogue } => {
  const texts = loaded.get(language)
  return texts ? { language, texts } : { language: 'en', texts: en }
}

export async function loadLanguage(language: string): Promise<void> {
  const load = Object.hasOwn(loaders, language) ? loaders[language] : undefined
  if (load && !loaded.has(language)) loaded.set(language, await load())
}

/** Runs something that speaks the language, with everything that follows from it. */
export const speaking = <Result>(language: string, run: () => Result): Result => spoken.run(language, run)

/** The language that is spoken now, English unless `speaking` says otherwise. */
export const spokenLanguage = (): string => spoken.getStore() ?? 'en'
