import { useSession } from './session.ts'

/** Name for people of a source or target, as the service's catalogue has it in the language of the page. */
export const formatName = (key: string): string =>
  useSession.getState().session?.formatNames[key] ?? key.toUpperCase()
