import { escapeInvisible } from '../service/shared/names/names.ts'

/**
 * Writes to standard output. A terminal gets no control or reordering character of what is written; a pipe gets all, since a name is
 * only a file's name as it is.
 */
export function print(text: string): void {
  process.stdout.write(process.stdout.isTTY ? escapeInvisible(text) : text)
}

/** Writes a line to standard error, which is for people. */
export function say(text: string): void {
  process.stderr.write(`${escapeInvisible(text)}\n`)
}
