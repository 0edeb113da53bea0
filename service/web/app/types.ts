/**
 * Shapes of the first-party routes under `/app`, shared with the page as types only.
 * All times are ISO 8601 UTC strings; all sizes are bytes.
 *
 *   GET    /app/session                 → Session
 *   DELETE /app/session                 → 204                  signs out
 *   GET    /app/sessions                → SignedIn[]
 *   DELETE /app/sessions/:id            → 204                  signs another browser out
 *   POST   /app/notice/dismiss          → 204                  its notice is not shown again
 *   POST   /app/files  (multipart: addedAt?, path?, file) → StagedFile (201)   a dropped file, uploaded and measured, not yet
 *                                         converted; `path` is the relative path of a file inside a dropped folder
 *   POST   /app/files  LocalFile        → StagedFile (201)     a file on this machine, not sent over HTTP
 *   GET    /app/files                   → StagedFile[]         added and not yet submitted
 *   POST   /app/files/find    FileIds   → StagedFile[]         those that still exist, including submitted ones
 *   POST   /app/files/join    Ids       → StagedFile (201)     several files as the source of one PDF or recording, in this order
 *   POST   /app/files/repeat  FileIds   → StagedFile[] (201)   the same files once more, to become something else as well
 *   POST   /app/files/remove  Ids       → 204
 *   DELETE /app/files/:id               → 204
 *   POST   /app/batches  NewBatch       → Batch (201)          the same one under the same Idempotency-Key
 *   POST   /app/batches/:id/files { fileIds } → Batch          adds files after its others, unless it has them; one that is done continues
 *   GET    /app/batches                 → Batch[]              open ones in their order, then those finished in the last day
 *   GET    /app/batches/:id/items?after&limit → Page<BatchItem>  in the order they are converted
 *   POST   /app/batches/:id/pause | /resume | /cancel → Batch
 *   POST   /app/batches/:id/move { before: batch id | null }  → 204   null moves it to the end
 *   POST   /app/batches/:id/items/:item/move { before: item id | null } → 204
 *   POST   /app/batches/:id/items/:item/cancel → 204
 *   POST   /app/batches/:id/retry { items: item ids } → Batch (201)  converts them again, as a new batch
 *   POST   /app/batches/:id/items/:item/save → 204             saves an unsaved result, numbered if the name is taken
 *   POST   /app/items/remove  Ids       → 204                  removes ended items; their jobs stay
 *   DELETE /app/batches/:id             → 204                  finished ones only
 *   POST   /app/jobs   NewJob           → AppJob (202)         refused like POST /convert
 *   POST   /app/jobs/:id/retry          → AppJob (202)         the same file and options again
 *   GET    /app/jobs?before&limit       → Page<AppJob>         newest first
 *   POST   /app/jobs/:id/cancel         → 202
 *   DELETE /app/jobs/:id                → 204
 *   GET    /app/saved?ids=a,b           → string[]             paths of saved results that still exist
 *   GET    /app/jobs/:id/download       → the output file
 *   GET    /app/download?ids=a,b        → ZIP of the outputs of several jobs
 *   GET    /app/history?before&limit, HistoryQuery → HistoryPage  one row for each file and target, newest first
 *   GET    /app/history/:id/attempts    → AppJob[]             all attempts of the row of a job, newest first
 *   GET    /app/history/:id/targets     → TargetChoice[]       what its input can become; 400 if it is gone
 *   POST   /app/history/:id/reopen      → Reopened             its input, to convert it again with other options
 *   DELETE /app/history/:id             → 204                  the row with all its attempts
 *   POST   /app/history/clear  HistoryQuery → { removed }      all rows that match the filter and are not open
 *   GET    /app/programs                → Program[]            API keys with open jobs, or jobs of the last day
 *   GET    /app/preview/thumbnail/:kind/:id?edge=48|96 → WebP that fits into a square of `edge` pixels; 204 if nothing
 *                                         can be shown, 202 with Retry-After while conversions have priority
 *   POST   /app/preview  NewPreview     → Preview              the file and the result of a quick conversion;
 *                                         free, and stopped when the request is aborted
 *   POST   /app/preview/compare { jobId } → Preview            the input and the output of a job
 *   GET    /app/preview/media/:kind/:id → the unchanged recording for players, with range requests
 *   GET    /app/preview/files/:id/:name → a file that a Preview names
 *   GET    /app/credits?days=30         → Credits
 *   PUT    /app/credits/auto-top-up {on} → AutoTopUp
 *   POST   /app/credits/top-up {amount} → { balance }
 *   GET    /app/ledger?before&limit, LedgerQuery → Page<LedgerEntry>  newest first
 *   GET    /app/ledger.csv?LedgerQuery  → the same as a CSV file, RFC 4180
 *   GET    /app/keys                    → ApiKey[]
 *   POST   /app/keys   NewApiKey        → CreatedApiKey (201)  the secret is in this answer and nowhere else
 *   PATCH  /app/keys/:id {monthlyBudget} → ApiKey
 *   DELETE /app/keys/:id                → 204
 *   GET    /app/accounts                → TeamAccount[]        all accounts, the owner's first; these five are for the owner only
 *   POST   /app/accounts  NewAccount    → CreatedAccount (201) its first key is in this answer and nowhere else
 *   PATCH  /app/accounts/:id AccountChange → TeamAccount
 *   DELETE /app/accounts/:id            → TeamAccount          closes it
 *   POST   /app/accounts/:id/sign-in    → SignInLink (201)     signs one browser in
 *   GET    /app/webhooks                → WebhookDelivery[]    the last 100, most recently changed first
 *   POST   /app/webhooks/:id/replay     → 202                  sends a finished one again
 *   GET    /app/presets                 → Preset[]             the built-in ones, then the account's own
 *   POST   /app/presets  NewPreset      → Preset[] (201)       all of them, with the new one
 *   PUT    /app/presets/:id  NewPreset  → Preset[]
 *   DELETE /app/presets/:id             → 204
 *   POST   /app/presets/:id/use         → 204                  records that files are converted with it
 *   GET    /app/presets/export          → PresetFile           the account's own
 *   POST   /app/presets/import  PresetFile → Preset[] (201)    adds all or none
 *   GET    /app/choices                 → LastChoice[]         the last choice for each pair, newest first
 *   PUT    /app/choices { choices: ChosenPair[] } → 204
 *   GET    /app/about                   → About
 *   GET    /app/settings                → Settings             the last choices, or the defaults
 *   PUT    /app/settings/destination SaveTo → SaveTo
 *   POST   /app/destinations/check NewDestination → DestinationCheck  the name of a result, or why it cannot be saved
 *   GET    /app/folders?path=           → Folders              folders of this machine, to choose one from
 *   POST   /app/folders     NewFolder   → Folders (201)        creates a folder, unless it exists
 *   GET    /app/watch                   → WatchRule[]
 *   POST   /app/watch  NewWatchRule     → WatchRule (201)      files in the folder are converted from now on, also those there already
 *   PATCH  /app/watch/:id {paused}      → WatchRule
 *   POST   /app/watch/:id/retry         → WatchRule            converts again what failed
 *   DELETE /app/watch/:id               → 204                  files and results stay
 *   GET    /app/models                  → DownloadList<SpeechModel>
 *   POST   /app/models/:id/download     → SpeechModel (202)    starts the download, or resumes a stopped one
 *   POST   /app/models/:id/cancel       → 204                  keeps the partial download for the next one
 *   DELETE /app/models/:id              → 204
 *   POST   /app/models (multipart: file) → SpeechModel (201)   a model from a file, recognised by its content
 *   …      /app/language-packs           the same for LanguagePack
 *   GET    /app/events                  → server-sent events: `job` (AppJob), `removed` ({ id }), `balance` ({ balance }),
 *                                         `model` (SpeechModel), `language-pack` (LanguagePack), `batch` (Batch), `batch-removed` ({ id }),
 *                                         `item` (BatchItem), if it changed without its job
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
