/** Which packs a conversion lacked, by the names that `packsOnNeed` takes. */
import { JobFailure } from '../../shared/errors.ts'
import type { Message } from '../../shared/messages/message.ts'

/** English names of the scripts that a warning says no font was found for. */
export const scriptsIn = ({ parameters }: Message): string[] => String(parameters?.scripts).split(', ')

/** Ids of the packs without which a conversion failed. */
export function packsIn(error: unknown): string[] {
  const { key = '', parameters } = error instanceof JobFailure ? error.reason : {}
  if (key === 'office.not_here') return ['libreoffice']
  return key === 'ocr.language_missing' ? [String(parameters?.language)] : []
}
