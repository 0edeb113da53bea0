import type * as App from '../../service/web/app/types.ts'
import { answerOf } from './answer.ts'
import type { Catalogue, Health, OptionsSchema } from './contract.ts'
import { ApiError } from './errors.ts'
import { send } from './session.ts'

interface PageQuery {
  before?: string | null
  limit?: number
}

/** Requests that outlive the page may have 64 KiB in total; longer ones would be refused. */
const KEEPALIVE_BYTES = 60_000

const pageQuery = (from: 'before' | 'after', cursor: string | null = null, limit = 50) => {
  const query = new URLSearchParams({ limit: String(limit) })
  if (cursor) query.set(from, cursor)
  return query.toString()
}

/** The given fields of a query as a query string. */
export const fieldsOf = (query: App.HistoryQuery | App.LedgerQuery): string => {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(fields as [string, string][]).toString()
}

const filtered = (page: PageQuery, query: App.HistoryQuery | App.LedgerQuery) =>
  [pageQuery('before', page.before, page.limit), fieldsOf(query)].filter(Boolean).join('&')

const withTargets = ({ files, targets }: App.StagedFiles): App.StagedFile[] =>
  files.map(file => ({ ...file, targets: targets[file.targets] ?? [] }))

/** A key of a request that may be sent again. Not `randomUUID`, which pages have only on this machine and under TLS. */
const newKey = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))

/** How many files one request is about, at most. */
export const FILES_PER_REQUEST = 500

/** After how many milliseconds a request is sent again that the service may or may not have got, and that does nothing twice. */
const AGAIN_MS = [500, 2000]

async function repeated<T>(send: () => Promise<T>): Promise<T> {
  for (const ms of AGAIN_MS) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || ![0, 503].includes(error.status)) throw error
      await new Promise(resolve => setTimeout(resolve, ms))
    }
  }
  return send()
}

/** The typed client of the service, which throws every error as an `ApiError`. */
export function createClient(sendBy = send) {
  async function request(
    method: string,
    path: string,
    body?: unknown,
    { outlives = false, key = '' } = {},
  ): Promise<Response> {
    const headers = { accept: 'application/json', ...(key && { 'idempotency-key': key }) }
    const init: RequestInit = { method, headers, keepalive: outlives }
    if (body instanceof FormData) init.body = body
    else if (body !== undefined) {
      init.headers = { ...headers, 'content-type': 'application/json' }
      init.body = JSON.stringify(body)
      init.keepalive = outlives && init.body.length < KEEPALIVE_BYTES
    }
    return answerOf(sendBy(path, init))
  }

  const read = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> =>
    (await request(method, path, body, { key })).json() as Promise<T>
  const act = async (method: string, path: string, body?: unknown): Promise<void> => {
    await request(method, path, body)
  }
  /** The same, but it completes even if the page is closed meanwhile. */
  const actFinally = async (method: string, path: string, body?: unknown): Promise<void> => {
    await request(method, path, body, { outlives: true })
  }
  const part = encodeURIComponent

  const downloads = <Item extends App.Downloadable>(path: string) => ({
    list: () => read<App.DownloadList<Item>>('GET', path),
    download: (id: string) => read<Item>('POST', `${path}/${part(id)}/download`),
    cancel: (id: string) => act('POST', `${path}/${part(id)}/cancel`),
    remove: (id: string) => act('DELETE', `${path}/${part(id)}`),
    /** Recognised by its content. */
    add: (file: File) => {
      const form = new FormData()
      form.set('file', file, file.name)
      return read<Item>('POST', path, form)
    },
  })

  return {
    session: () => read<App.Session>('GET', '/app/session'),
    signOut: () => act('DELETE', '/app/session'),
    sessions: () => read<App.SignedIn[]>('GET', '/app/sessions'),
    endSession: (id: string) => act('DELETE', `/app/sessions/${part(id)}`),
    dismissNotice: () => act('POST', '/app/notice/dismiss'),
    missing: () => read<string[]>('GET', '/app/missing'),
    about: () => read<App.About>('GET', '/app/about'),
    health: () => read<Health>('GET', '/health'),
    catalogue: () => read<Catalogue>('GET', '/convert/conversions?extended=true'),
    schema: (from: string, to: string) =>
      read<OptionsSchema>('GET', `/convert/schema/${part(from)}/${part(to)}`),

    stagedFiles: async () => withTargets(await read('GET', '/app/files')),
    stageLocalFile: (file: App.LocalFile) => read<App.StagedFile>('POST', '/app/files', file),
    removeFiles: (ids: readonly string[]) => actFinally('POST', '/app/files/remove', { ids }),
    joinFiles: (ids: readonly string[]) => read<App.StagedFile>('POST', '/app/files/join', { ids }),
    repeatFiles: (ids: readonly string[]) => read<App.StagedFile[]>('POST', '/app/files/repeat', { ids }),
    chosen: () => read<App.Chosen>('GET', '/app/files/choices'),
    keepChosen: (changed: App.Chosen) => actFinally('PATCH', '/app/files/choices', changed),
    findFiles: async (ids: readonly string[]) => withTargets(await read('POST', '/app/files/find', { ids })),

    batches: () => read<App.Batch[]>('GET', '/app/batches'),
    createBatch: (batch: App.NewBatch) => {
      const key = newKey()
      return repeated(() => read<App.Batch>('POST', '/app/batches', batch, key))
    },
    appendFiles: (id: string, fileIds: readonly string[]) =>
      repeated(() => read<App.Batch>('POST', `/app/batches/${part(id)}/files`, { fileIds })),
    batchItems: (id: string, query: { after?: string | null; limit?: number } = {}) =>
      read<App.Page<App.BatchItem>>(
        'GET',
        `/app/batches/${part(id)}/items?${pageQuery('after', query.after, query.limit)}`,
      ),
    pauseBatch: (id: string) => read<App.Batch>('POST', `/app/batches/${part(id)}/pause`),
    resumeBatch: (id: string) => read<App.Batch>('POST', `/app/batches/${part(id)}/resume`),
    cancelBatch: (id: string) => read<App.Batch>('POST', `/app/batches/${part(id)}/cancel`),

    saveItem: (batch: string, item: string) =>
      act('POST', `/app/batches/${part(batch)}/items/${part(item)}/save`),

    settings: () => read<App.Settings>('GET', '/app/settings'),
    rememberMetadata: (choice: App.KeptMetadata) => act('PUT', '/app/settings/metadata', choice),
    rememberDestination: (saveTo: App.SaveTo) => act('PUT', '/app/settings/destination', saveTo),
    checkDestination: (destination: App.NewDestination) =>
      read<App.DestinationCheck>('POST', '/app/destinations/check', destination),
    folders: (path?: string) =>
      read<App.Folders>('GET', `/app/folders${path === undefined ? '' : `?path=${part(path)}`}`),
    createFolder: (path: string, name: string) => read<App.Folders>('POST', '/app/folders', { path, name }),
    cancelItem: (id: string, item: string) =>
      act('POST', `/app/batches/${part(id)}/items/${part(item)}/cancel`),
    retryItems: (id: string, items: readonly string[]) =>
      read<App.Batch>('POST', `/app/batches/${part(id)}/retry`, { items }),
    removeItems: (ids: readonly string[]) => actFinally('POST', '/app/items/remove', { ids }),

    jobs: (query: PageQuery = {}) =>
      read<App.Page<App.AppJob>>('GET', `/app/jobs?${pageQuery('before', query.before, query.limit)}`),
    retry: (id: string) => read<App.AppJob>('POST', `/app/jobs/${part(id)}/retry`),
    renameResult: (id: string, name: string) => read<App.AppJob>('PATCH', `/app/jobs/${part(id)}`, { name }),
    cancel: (id: string) => act('POST', `/convert/job/${part(id)}/cancel`),

    history: (query: App.HistoryQuery & { isFolded?: boolean }, page: PageQuery = {}) =>
      read<App.HistoryPage>('GET', `/app/history?${filtered(page, query)}`),
    attempts: (id: string) => read<App.AppJob[]>('GET', `/app/history/${part(id)}/attempts`),
    historyTargets: (id: string) => read<App.TargetChoice[]>('GET', `/app/history/${part(id)}/targets`),
    reopen: (id: string) => read<App.Reopened>('POST', `/app/history/${part(id)}/reopen`),
    /** @param batchId if the row stands for all of a batch */
    removeFromHistory: (id: string, batchId: string | null = null) =>
      batchId === null
        ? actFinally('DELETE', `/app/history/${part(id)}`)
        : actFinally('POST', '/app/history/clear', { batchId }),
    clearHistory: (query: App.HistoryQuery) => read<{ removed: number }>('POST', '/app/history/clear', query),
    programs: () => read<App.Program[]>('GET', '/app/programs'),
    credits: (days: number) => read<App.Credits>('GET', `/app/credits?days=${days}`),
    topUp: (amount: number) => read<{ balance: number }>('POST', '/app/credits/top-up', { amount }),
    setAutoTopUp: (on: boolean) => read<App.AutoTopUp>('PUT', '/app/credits/auto-top-up', { on }),
    ledger: (page: PageQuery = {}, query: App.LedgerQuery = {}) =>
      read<App.Page<App.LedgerEntry>>('GET', `/app/ledger?${filtered(page, query)}`),

    accounts: () => read<App.TeamAccount[]>('GET', '/app/accounts'),
    createAccount: (account: App.NewAccount) => read<App.CreatedAccount>('POST', '/app/accounts', account),
    changeAccount: (id: string, change: App.AccountChange) =>
      read<App.TeamAccount>('PATCH', `/app/accounts/${part(id)}`, change),
    closeAccount: (id: string) => read<App.TeamAccount>('DELETE', `/app/accounts/${part(id)}`),
    signInLink: (id: string) => read<App.SignInLink>('POST', `/app/accounts/${part(id)}/sign-in`),

    watchRules: () => read<App.WatchRule[]>('GET', '/app/watch'),
    addWatchRule: (rule: App.NewWatchRule) => read<App.WatchRule>('POST', '/app/watch', rule),
    changeWatchRule: ({ id }: App.WatchRule, rule: App.NewWatchRule) =>
      read<App.WatchRule>('PUT', `/app/watch/${part(id)}`, rule),
    pauseWatchRule: (id: string, paused: boolean) =>
      read<App.WatchRule>('PATCH', `/app/watch/${part(id)}`, { paused }),
    retryWatchRule: (id: string) => read<App.WatchRule>('POST', `/app/watch/${part(id)}/retry`),
    removeWatchRule: (id: string) => act('DELETE', `/app/watch/${part(id)}`),

    keys: () => read<App.ApiKey[]>('GET', '/app/keys'),
    createKey: (key: App.NewApiKey) => read<App.CreatedApiKey>('POST', '/app/keys', key),
    setBudget: (id: string, monthlyBudget: number | null) =>
      read<App.ApiKey>('PATCH', `/app/keys/${part(id)}`, { monthlyBudget }),
    webhooks: () => read<App.WebhookDelivery[]>('GET', '/app/webhooks'),
    replayWebhook: (id: string) => act('POST', `/app/webhooks/${part(id)}/replay`),
    revokeKey: (id: string) => act('DELETE', `/app/keys/${part(id)}`),

    presets: () => read<App.Preset[]>('GET', '/app/presets'),
    addPreset: (preset: App.NewPreset) => read<App.Preset[]>('POST', '/app/presets', preset),
    changePreset: (id: string, preset: App.NewPreset) =>
      read<App.Preset[]>('PUT', `/app/presets/${part(id)}`, preset),
    removePreset: (id: string) => act('DELETE', `/app/presets/${part(id)}`),
    notePresetUse: (id: string) => act('POST', `/app/presets/${part(id)}/use`),
    importPresets: (file: App.PresetFile) => read<App.Preset[]>('POST', '/app/presets/import', file),
    choices: () => read<App.LastChoice[]>('GET', '/app/choices'),
    rememberChoices: (choices: App.ChosenPair[]) => act('PUT', '/app/choices', { choices }),

    models: downloads<App.SpeechModel>('/app/models'),
    packs: downloads<App.Pack>('/app/packs'),
  }
}

export type Client = ReturnType<typeof createClient>

export const api = createClient()
