import { fileURLToPath } from 'node:url'

/** Folder of the checkout, without a trailing separator. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/**
 * Informs the person at the terminal. Always on stderr: the stdout of `npm run serve` belongs to the service.
 * @param {string} message
 */
export const printInfo = message => process.stderr.write(`${message}\n`)
