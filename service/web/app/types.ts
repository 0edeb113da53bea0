/**
 * Shapes of the first-party routes under `/app`, shared with the page as types only.
 * All times are ISO 8601 UTC strings; all sizes are bytes.
 *
 * Each route stands in a file of this folder, with its role, its schemas and what it answers.
 *
 *   GET /app/events → server-sent events: `job` (AppJob), `removed` ({ id }), `balance` ({ balance }),
 *                      `model` (SpeechModel), `pack` (Pack), `batch` (Batch), `batch-removed` ({ id }),
 *                      `item` (BatchItem), if it changed without its job
 *
 * The page reads the catalogue, estimates and schemas from the contract's own routes with the same session.
 * Errors have the contract's envelope `{ error, detail, … }`.
 */

export * from './types/about.ts'
export * from './types/accounts.ts'
export * from './types/batches.ts'
export * from './types/credits.ts'
export * from './types/destinations.ts'
export * from './types/downloads.ts'
export * from './types/files.ts'
export * from './types/history.ts'
export * from './types/jobs.ts'
export * from './types/keys.ts'
export * from './types/presets.ts'
export * from './types/preview.ts'
export * from './types/watch.ts'
export * from './types/webhooks.ts'
