/**
 * Shapes of the first-party routes under `/app`, shared with the page as types only.
 * All times are ISO 8601 UTC strings; all sizes are bytes.
 *
 *   GET    /app/session                 → Session
 *   POST   /app/files  (multipart: addedAt?, path?, file) → StagedFile (201)   a dropped file, taken in and measured, not yet
 *                                         converted; `path` is the relative path of a file inside a dropped folder
 *   POST   /app/files  LocalFile        → StagedFile (201)     a file of this machine, not copied through HTTP
 *   GET    /app/files                   → StagedFile[]         taken in and not yet submitted
 *   POST   /app/files/find    FileIds   → StagedFile[]         those of them that are still here, submitted ones included
 *   POST   /app/files/remove  Ids       → 204
 *   DELETE /app/files/:id               → 204
 *   POST   /app/batches  NewBatch       → Batch (201)
 *   GET    /app/batches                 → Batch[]              open ones in their order, then those finished in the last day
 *   GET    /app/batches/:id/items?after&limit → Page<BatchItem>  in the order they are converted
 *   POST   /app/batches/:id/pause | /resume | /cancel → Batch
 *   POST   /app/batches/:id/move { before: batch id | null }  → 204   null moves it to the end
 *   POST   /app/batches/:id/items/:item/move { before: item id | null } → 204
 *   POST   /app/batches/:id/items/:item/cancel → 204
 *   POST   /app/batches/:id/retry { items: item ids } → Batch (201)  converts them once more, as a batch of their own
 *   POST   /app/batches/:id/items/:item/save → 204             saves a result that was not saved, numbered where taken
 *   POST   /app/items/remove  Ids       → 204                  forgets those that have ended; their jobs stay
 *   DELETE /app/batches/:id             → 204                  finished ones only
 *   POST   /app/jobs   NewJob           → AppJob (202)         refused like POST /convert
 *   POST   /app/jobs/:id/retry          → AppJob (202)         the same file and options once more
 *   GET    /app/jobs?before&limit       → Page<AppJob>         newest first
 *   POST   /app/jobs/:id/cancel         → 202
 *   DELETE /app/jobs/:id                → 204
 *   GET    /app/saved?ids=a,b           → string[]             paths that results of jobs were saved to and still are at
 *   GET    /app/jobs/:id/download       → the output file
 *   GET    /app/download?ids=a,b        → ZIP of the outputs of several jobs
 *   GET    /app/history?before&limit, HistoryQuery → HistoryPage  one row for each file and target, newest first
 *   GET    /app/history/:id/attempts    → AppJob[]             all attempts of the row of a job, newest first
 *   POST   /app/history/:id/reopen      → Reopened             its input, to be converted once more with other options
 *   DELETE /app/history/:id             → 204                  the row with all its attempts
 *   POST   /app/history/clear  HistoryQuery → { removed }      all rows of a filter that are not open
 *   GET    /app/programs                → Program[]            API keys with open jobs, or jobs of the last day
 *   GET    /app/preview/thumbnail/:kind/:id?edge=48|96 → WebP that fits into a square of `edge` pixels; 204 where there is
 *                                         nothing to see, 202 with Retry-After while conversions come first
 *   POST   /app/preview  NewPreview     → Preview              the file, and beside it what a quick conversion makes of it;
 *                                         free, and stopped when the request is aborted
 *   POST   /app/preview/compare { jobId } → Preview            the input of a job beside its output
 *   GET    /app/preview/media/:kind/:id → a recording as it is, in ranges, for players
 *   GET    /app/preview/files/:id/:name → a file that a Preview names
 *   GET    /app/credits?days=30         → Credits
 *   PUT    /app/credits/auto-top-up {on} → AutoTopUp
 *   POST   /app/credits/top-up {amount} → { balance }
 *   GET    /app/ledger?before&limit, LedgerQuery → Page<LedgerEntry>  newest first
 *   GET    /app/ledger.csv?LedgerQuery  → the same as a file, RFC 4180
 *   GET    /app/keys                    → ApiKey[]
 *   POST   /app/keys   NewApiKey        → CreatedApiKey (201)  the secret is in this answer and nowhere else
 *   PATCH  /app/keys/:id {monthlyBudget} → ApiKey
 *   DELETE /app/keys/:id                → 204
 *   GET    /app/webhooks                → WebhookDelivery[]    the last 100, those that changed last first
 *   POST   /app/webhooks/:id/replay     → 202                  sends one that is over once more
 *   GET    /app/presets                 → Preset[]             the built-in ones, then the account's own
 *   POST   /app/presets  NewPreset      → Preset[] (201)       all of them, with the new one
 *   PUT    /app/presets/:id  NewPreset  → Preset[]
 *   DELETE /app/presets/:id             → 204
 *   POST   /app/presets/:id/use         → 204                  notes that files are converted by it
 *   GET    /app/presets/export          → PresetFile           the account's own
 *   POST   /app/presets/import  PresetFile → Preset[] (201)    adds all or none
 *   GET    /app/choices                 → LastChoice[]         what was chosen last for each pair, latest first
 *   PUT    /app/choices { choices: ChosenPair[] } → 204
 *   GET    /app/about                   → About
 *   GET    /app/settings                → Settings             what was chosen last, or the default
 *   PUT    /app/settings/destination SaveTo → SaveTo
 *   POST   /app/destinations/check NewDestination → DestinationCheck  what a result would be called, or why not
 *   GET    /app/folders?path=           → Folders              folders of this machine, to choose one from
 *   GET    /app/models                  → DownloadList<SpeechModel>
 *   POST   /app/models/:id/download     → SpeechModel (202)    begins, or goes on with a download that was stopped
 *   POST   /app/models/:id/cancel       → 204                  what has arrived stays for the next download
 *   DELETE /app/models/:id              → 204
 *   POST   /app/models (multipart: file) → SpeechModel (201)   a model from a file, recognised by its content
 *   …      /app/ocr-languages           the same for OcrLanguage
 *   GET    /app/events                  → server-sent events: `job` (AppJob), `removed` ({ id }), `balance` ({ balance }),
 *                                         `model` (SpeechModel), `ocr-language` (OcrLanguage), `batch` (Batch), `batch-removed` ({ id })
 *
 * The page reads the catalogue, estimates and schemas from the contract's own routes with the same session.
 * Errors have the contract's envelope `{ error, detail, … }`.
 */

import type { FileFacts } from '../catalogue/facts.ts'
import type { Comparison } from '../catalogue/preview.ts'
import type { Phase } from '../catalogue/task.ts'
import type { EngineDescription } from '../http/engine-description.ts'
import {
  anyObject,
  anyOf,
  boolean,
  constant,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../http/schema.ts'

export type JobStatus = 'Queued' | 'Running' | 'Succeeded' | 'Failed' | 'Canceled'

export interface Session {
  account: { id: string; name: string }
  balance: number
  version: string
}

/** A target a staged file can become, priced for exactly this file. */
export interface TargetChoice {
  /** Request key, such as `webp` or `pdf-ocr`. */
  target: string
  label: string
  job: string
  category: string
  credits: number
  /** Credits by variant key where the converter has cost variants. */
  variants: Record<string, number> | null
  /** True when the engine of this conversion is not on this machine. */
  missing: boolean
  maxFileSizeBytes: number
}

export interface StagedFile {
  id: string
  name: string
  bytes: number
  /** Format key the service recognised, null when it knows nothing that takes this file. */
  format: string | null
  formatLabel: string | null
  targets: TargetChoice[]
  /** Path inside the folder it was dropped with; null for a file dropped by itself. */
  relativePath: string | null
  /** Pages, slides or frames, and minutes, where it was counted. */
  pages: number | null
  minutes: number | null
  /** When it was added to the page, in milliseconds since 1970; fractions keep the order of files added at once. */
  addedAt: number
  /** What is known of its content; what is not known is left out. */
  facts: FileFacts
  /** Why the file could not be measured or read, for the person who dropped it. */
  problem: string | null
}

/** A file on this machine, named by its path. Accepted from the app's own session only. */
export type LocalFile = Static<typeof LocalFile>
export const LocalFile = object({
  /** Absolute path. */
  path: string({ minLength: 1 }),
  /** Path inside a dropped folder, `/` between its parts. */
  relativePath: optional(string()),
  /** See `StagedFile`. */
  addedAt: optional(number()),
})

export type Ids = Static<typeof Ids>
export const Ids = object({ ids: list(string(), { minItems: 1, maxItems: 10_000 }) })

/** Files to look up; fewer at once, since each is told with everything it can become. */
export type FileIds = Static<typeof FileIds>
export const FileIds = object({ ids: list(string(), { minItems: 1, maxItems: 500 }) })

/** What files of a format become: the target's request key, and options that differ from the defaults. */
const PresetChoice = object({ target: string(), options: optional(anyObject()) })

export type NewPreset = Static<typeof NewPreset>
export const NewPreset = object({
  name: string({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  /** By source format. */
  choices: map(PresetChoice),
})

/** Presets as they are exported and imported. */
export type PresetFile = Static<typeof PresetFile>
export const PresetFile = object({
  refile: constant('presets'),
  version: constant(1),
  presets: list(NewPreset, { maxItems: 100 }),
})

/** A choice for each of some source formats, made once and used often. */
export interface Preset {
  /** Of a built-in preset, its word: `smaller`, `web`, `email`, `print`, `archive` or `transcript`. */
  id: string
  name: string
  builtIn: boolean
  /** By source format. */
  choices: Record<string, { target: string; options: Record<string, unknown> }>
  lastUsedAt: string | null
}

export type ChosenPair = Static<typeof ChosenPair>
export const ChosenPair = object({ source: string(), target: string(), options: anyObject() })

export interface LastChoice extends ChosenPair {
  usedAt: string
}

const saving = {
  /** Template of the output's name, such as `{name}.{ext}`. */
  name: optional(string({ maxLength: 255 })),
  /** What `{preset}` stands for in it. */
  preset: optional(string({ maxLength: 100 })),
  /** Whether outputs are as old as their originals. */
  keepDates: optional(boolean()),
  /** A name that is taken gets a number; with `ask` the output stays until somebody says so. */
  taken: optional(oneOf(['number', 'ask'])),
}

/** What becomes of a batch's outputs: kept for download until they expire, or saved to folders of this machine. */
export type Destination = Static<typeof Destination>
export const Destination = anyOf([
  object({ kind: constant('keep') }),
  object({
    kind: constant('folder'),
    /** Absolute path. */
    path: string(),
    /** Whether the folders of dropped files are made again below `path`. */
    keepFolders: optional(boolean()),
    ...saving,
  }),
  /** Each in the folder of its original; only of files that are known by their path. */
  object({ kind: constant('beside'), ...saving }),
])

/** Where a person wants results to go, as it is remembered. */
export type SaveTo = Static<typeof SaveTo>
export const SaveTo = object({
  /** `ask` for a folder each time; `keep` for download. */
  kind: oneOf(['beside', 'folder', 'ask', 'keep']),
  /** The folder chosen last, which stays known while another kind is chosen. */
  folder: nullable(string({ maxLength: 4096 })),
  /** Template of names; empty for names as they are. */
  name: string({ maxLength: 255 }),
  keepFolders: boolean(),
  keepDates: boolean(),
  taken: oneOf(['number', 'ask']),
})

export interface Settings {
  /** Null when nothing was chosen yet. */
  destination: SaveTo | null
}

/** A place for results to be checked, with a file that shows what names become. */
export type NewDestination = Static<typeof NewDestination>
export const NewDestination = object({
  saveTo: SaveTo,
  preset: optional(string({ maxLength: 100 })),
  example: optional(object({ fileId: string(), target: string() })),
})

export interface DestinationCheck {
  /** Path or name that the result of the example would get, or of a file of that kind; null with a problem. */
  example: string | null
  /** Why nothing can be saved there, in a sentence for people. */
  problem: string | null
}

/** A folder of this machine, and what is in it. */
export interface Folders {
  path: string
  /** Null for the topmost. */
  parent: string | null
  /** Folders that can be opened, by name; the first 1,000. */
  folders: { name: string; path: string }[]
}

/** Many files and one choice of target, options and destination for all of them. */
export type NewBatch = Static<typeof NewBatch>
export const NewBatch = object({
  fileIds: list(string(), { minItems: 1, maxItems: 10_000 }),
  targetFormat: string(),
  options: optional(anyObject()),
  destination: optional(Destination),
})

/** Items by state; all but `total` add up to `total`. */
export interface BatchCounts {
  total: number
  waiting: number
  queued: number
  running: number
  succeeded: number
  failed: number
  canceled: number
}

export interface Batch {
  id: string
  /** Format key of its files; `files` when they have several. */
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  options: Record<string, unknown>
  destination: Destination
  state: 'active' | 'paused' | 'done' | 'canceled'
  /** Why it paused by itself, such as missing credits or a folder that is gone; null otherwise. */
  problem: { code: string; detail: string } | null
  counts: BatchCounts
  creditCost: number
  /** Sizes of what has been converted, and of what it became. */
  inputBytes: number
  outputBytes: number
  createdAt: string
  finishedAt: string | null
}

/** One file of a batch. */
export interface BatchItem {
  id: string
  /** The staged file it converts, which may be gone by now. */
  fileId: string
  name: string
  /** Path inside the folder it was dropped with; null for a file dropped by itself. */
  relativePath: string | null
  bytes: number
  /** Format key and name of the content. */
  format: string | null
  formatLabel: string | null
  /** See `StagedFile`. */
  addedAt: number
  /** `waiting`: not yet a job. */
  state: 'waiting' | 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  job: AppJob | null
  /** Why it failed, also when it never became a job. */
  error: { code: string; detail: string } | null
  /** Where the output was saved; null while it is not, or when it is kept for download. */
  savedTo: string | null
}

/** A file to look at: a dropped one, or the input or output of a job. */
export type ViewedFile = Static<typeof ViewedFile>
export const ViewedFile = object({
  kind: oneOf(['staged', 'input', 'output']),
  /** Id of the staged file or of the job. */
  id: string(),
})

export type NewPreview = Static<typeof NewPreview>
export const NewPreview = object({
  file: ViewedFile,
  /** Request key of a target; without one the file is shown alone. */
  targetFormat: optional(string()),
  options: optional(anyObject()),
})

/** A file beside what becomes of it. `file` of a look is an address here. */
export interface Preview extends Comparison {
  inputBytes: number
  warnings: string[]
  /** Why nothing could be made; then both sides are null. */
  problem: { code: string; detail: string } | null
}

export type NewJob = Static<typeof NewJob>
export const NewJob = object({
  fileId: string(),
  targetFormat: string(),
  options: optional(anyObject()),
})

export interface AppJob {
  id: string
  job: string
  category: string
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  status: JobStatus
  /** Live, unlike the contract's status: 0 to 100. */
  percent: number
  phase: Phase | null
  /** Seconds until the end as far as can be told. */
  eta: number | null
  inputName: string
  inputBytes: number
  outputBytes: number
  creditCost: number
  error: { code: string; detail: string } | null
  warnings: string[]
  output: { fileName: string; contentType: string; fileCount: number } | null
  /** Whether the input is still there to be converted again. */
  canRetry: boolean
  /** Who submitted it: this app or a program with an API key. */
  origin: 'app' | 'api'
  /** The staged file it was made from; null for one that a program sent. */
  fileId: string | null
  /** The API key. */
  keyId: string | null
  /** The batch it belongs to. */
  batchId: string | null
  /** Path on this machine that the output was saved to by its batch. */
  savedTo: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** When the output is deleted; null when there is none. */
  expiresAt: string | null
}

export interface Page<T> {
  items: T[]
  /** Pass as `before` (or `after`, as the route says) for the next page; null on the last one. */
  next: string | null
}

/** What is looked for in the history; what is left out narrows nothing. Times are those of submission. */
export type HistoryQuery = Static<typeof HistoryQuery>
export const HistoryQuery = object({
  /** Part of the name of the input or of the output, in any case. */
  search: optional(string({ maxLength: 200 })),
  category: optional(string()),
  state: optional(oneOf(['open', 'succeeded', 'failed', 'canceled'])),
  origin: optional(oneOf(['app', 'api'])),
  /** Id of an API key. */
  keyId: optional(string()),
  from: optional(string()),
  to: optional(string()),
})

/** A file and a target: the last attempt, and how many there were. */
export interface HistoryRow extends AppJob {
  tries: number
  /** Name of the API key, also of one that was revoked; null for the app's own jobs. */
  keyName: string | null
}

/** The input of an earlier conversion, and what it became with which options; passwords are left out. */
export interface Reopened {
  file: StagedFile
  /** Request key of the target. */
  target: string
  options: Record<string, unknown>
}

export interface HistoryPage extends Page<HistoryRow> {
  /** Rows of the filter on all pages; only told with the first page. */
  total: number | null
}

/** A program that uses this service: one API key, and what became of its jobs of the last day. */
export interface Program {
  /** Null for jobs of which the key was not noted. */
  keyId: string | null
  name: string | null
  prefix: string | null
  queued: number
  running: number
  succeeded: number
  failed: number
  canceled: number
  lastAt: string
}

/** What is looked for in the ledger. */
export type LedgerQuery = Static<typeof LedgerQuery>
export const LedgerQuery = object({
  /** Part of the reason, in any case. */
  search: optional(string({ maxLength: 200 })),
  kind: optional(oneOf(['grant', 'charge', 'refund', 'top-up'])),
  category: optional(string()),
  keyId: optional(string()),
  from: optional(string()),
  to: optional(string()),
})

export interface LedgerEntry {
  id: number
  kind: 'grant' | 'charge' | 'refund' | 'top-up'
  /** Signed credits: charges are negative. */
  amount: number
  reason: string
  jobId: string | null
  category: string | null
  keyId: string | null
  createdAt: string
}

/** Whether the account tops itself up by a recorded grant, and whether REFILE_AUTO_TOP_UP has fixed that. */
export interface AutoTopUp {
  on: boolean
  isFixed: boolean
}

export interface Credits {
  balance: number
  /** Net credits spent in the period: charges less refunds. */
  spent: number
  byDay: { day: string; spent: number; jobs: number }[]
  byCategory: { category: string; spent: number; jobs: number }[]
  /** `keyId` is null for the app's own jobs; the key may have been revoked since. */
  byKey: { keyId: string | null; name: string | null; spent: number; jobs: number }[]
  autoTopUp: AutoTopUp
}

export interface ApiKey {
  id: string
  name: string
  /** First characters of the key, to recognise it by. */
  prefix: string
  ipAllowlist: string[]
  guest: boolean
  /** Credits that its jobs may cost in a calendar month (UTC); null for no limit. */
  monthlyBudget: number | null
  /** What its jobs of this calendar month (UTC) have cost, less refunds. */
  spentThisMonth: number
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
}

/** Credits of a budget. */
const budget = () => integer({ minimum: 0, maximum: 1_000_000_000 })

export type KeyChange = Static<typeof KeyChange>
export const KeyChange = object({ monthlyBudget: nullable(budget()) })

export type NewApiKey = Static<typeof NewApiKey>
export const NewApiKey = object({
  name: string({ minLength: 1, maxLength: 100 }),
  /** Addresses and CIDR ranges; empty means any address. */
  ipAllowlist: optional(list(string(), { maxItems: 100 })),
  /** A guest key may not convert from a URL. */
  guest: optional(boolean()),
  monthlyBudget: optional(nullable(budget())),
  expiresAt: optional(nullable(string())),
})

export interface CreatedApiKey extends ApiKey {
  secret: string
}

export interface WebhookDelivery {
  /** The event id that receivers see. */
  id: string
  jobId: string
  /** Receiver, without the query of its address, which may hold a secret. */
  receiver: string
  event: 'succeeded' | 'failed'
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  nextAttemptAt: string | null
  /** HTTP status of the last answer. */
  status: number | null
  /** Why the last attempt failed, in words. */
  problem: string | null
  updatedAt: string
}

export interface About {
  version: string
  url: string
  dataFolder: string
  converters: { done: number; total: number }
  engines: EngineDescription[]
}

/** A speech model for transcriptions, and whether it is on this machine. */
/** What is downloaded when somebody asks for it. */
export interface Downloadable {
  id: string
  name: string
  licence: string
  /** Size of the installed file, or about that of the download. */
  bytes: number
  state: 'absent' | 'downloading' | 'installed'
  /** Bytes that have arrived, also of a download that was stopped. */
  received: number
  /** Why the last download failed. */
  problem: string | null
  /** Whether there is anything of it that can be deleted: not so for models of the folder REFILE_MODELS. */
  removable: boolean
}

export interface SpeechModel extends Downloadable {
  englishOnly: boolean
  /** Keys of the modes of transcription it is recommended for. */
  recommended: string[]
}

/** A language of text recognition: `id` is what `ocr.languages` calls it. */
export type OcrLanguage = Downloadable

export interface DownloadList<Item extends Downloadable> {
  /** Whether downloads are forbidden by REFILE_OFFLINE. */
  offline: boolean
  items: Item[]
}
