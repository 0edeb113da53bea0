import { useSession } from './session.ts'

/** Name for people of a source or target, as the service's catalogue has it in the language of the page. */
export const formatName = (key: string): string =>
  useSession.getState().session?.formatNames[key] ?? key.toUpperCase()

/** Whether words that somebody types find a format, by its name or its key: JPEG is also `jpg`. */
export const matchesSearch = (words: string, name: string, key: string): boolean =>
  `${name} ${key}`.toLowerCase().includes(words.trim().toLowerCase())
