/** What a reader of ours found wrong with a file. Whatever else is thrown is a mistake of ours, and is not blamed on the file. */
export class DamagedFile extends Error {}

/** Node's codes for reading beyond a buffer, where the numbers of a damaged file lead. */
const BEYOND_BUFFER = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'])

/** Whether what was thrown is wrong with the file that was read. */
export const isDamage = (error: unknown): boolean =>
  error instanceof DamagedFile ||
  (error instanceof RangeError && BEYOND_BUFFER.has((error as NodeJS.ErrnoException).code ?? ''))
