import { Readable } from 'node:stream'
import { csvRecord } from '../../shared/csv.ts'
import type { EntryFilter, StoredEntry } from '../../store/interfaces/accounts.ts'
import { forRole } from '../http/access.ts'
import { attachment } from '../http/replies.ts'
import { boolean, integer, object, optional, type Routes } from '../http/schema.ts'
import { PageQuery } from '../http/shapes.ts'
import { periodOf } from '../http/times.ts'
import type { Services } from '../services.ts'
import { type AutoTopUp, type Credits, type LedgerEntry, LedgerQuery, type Page } from './types.ts'
import { ledgerEntry } from './views.ts'

/** Largest single top-up in credits. */
const LARGEST_TOP_UP_CREDITS = 1_000_000
/** Number of entries read at once for the ledger file. */
const CSV_PAGE = 500

const LedgerPageQuery = object({ ...PageQuery.properties, ...LedgerQuery.properties })

/** The balance, what it was spent on, and the ledger behind it. */
export function creditRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  const { funds, keys, stores } = services
  const { accounts } = stores

  member.get(
    '/app/credits',
    {
      schema: {
        querystring: object({ days: optional(integer({ minimum: 1, maximum: 366 })) }),
      },
    },
    async ({ caller: { accountId }, query: { days = 30 } }): Promise<Credits> => {
      const spending = await accounts.spending(accountId, startOfDay(days - 1))
      return {
        balance: (await accounts.get(accountId))?.balance ?? 0,
        spent: spending.byDay.reduce((sum, day) => sum + day.spent, 0),
        ...spending,
        autoTopUp: await funds.autoTopUp(accountId),
      }
    },
  )

  owner.put(
    '/app/credits/auto-top-up',
    { schema: { body: object({ on: boolean() }) } },
    async ({ caller: { accountId }, body }): Promise<AutoTopUp> => {
      const changed = await funds.setAutoTopUp(accountId, body.on)
      // Work that waits for credits can continue now.
      stores.events.publish({ type: 'balance', accountId })
      return changed
    },
  )

  owner.post(
    '/app/credits/top-up',
    { schema: { body: object({ amount: integer({ minimum: 1, maximum: LARGEST_TOP_UP_CREDITS }) }) } },
    async ({ caller, body }) => {
      const balance = await accounts.topUp(caller.accountId, body.amount, 'Top-up')
      stores.events.publish({ type: 'balance', accountId: caller.accountId })
      return { balance }
    },
  )

  member.get(
    '/app/ledger',
    { schema: { querystring: LedgerPageQuery } },
    async ({ caller, query: { before = null, limit = 50, ...wanted } }): Promise<Page<LedgerEntry>> => {
      const entries = await accounts.entries(caller.accountId, before, limit, filterOf(wanted))
      const next = entries.length === limit ? String(entries.at(-1)?.id) : null
      return { items: entries.map(ledgerEntry), next }
    },
  )

  member.get(
    '/app/ledger.csv',
    { schema: { querystring: LedgerQuery } },
    async ({ caller, query }, reply) => {
      const { accountId } = caller
      const names = new Map((await keys.list(accountId)).map(({ id, name }) => [id, name]))
      const entries = allEntries((before, limit) =>
        accounts.entries(accountId, before, limit, filterOf(query)),
      )
      return reply
        .header('content-disposition', attachment('refile-ledger.csv'))
        .type('text/csv; charset=utf-8; header=present')
        .send(Readable.from(ledgerFile(entries, names)))
    },
  )
}

/** Start of the local day this many days ago. */
function startOfDay(daysAgo: number): number {
  const at = new Date()
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysAgo).getTime()
}

const filterOf = (query: LedgerQuery): EntryFilter => ({ ...query, ...periodOf(query) })

/** All entries, newest first, read on demand; entries added meanwhile are not included. */
async function* allEntries(
  read: (before: number | null, limit: number) => Promise<StoredEntry[]>,
): AsyncGenerator<StoredEntry[]> {
  for (let before: number | null = null; ; ) {
    const entries: StoredEntry[] = await read(before, CSV_PAGE)
    if (entries.length > 0) yield entries
    const last = entries.at(-1)
    if (!last || entries.length < CSV_PAGE) return
    before = last.id
  }
}

async function* ledgerFile(
  pages: AsyncIterable<StoredEntry[]>,
  keyNames: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  yield csvRecord(['id', 'time', 'kind', 'credits', 'reason', 'category', 'job', 'key'])
  for await (const entries of pages) {
    const lines = entries.map(({ id, createdAt, kind, amount, reason, category, jobId, keyId }) =>
      csvRecord([
        id,
        new Date(createdAt).toISOString(),
        kind,
        amount,
        reason,
        category,
        jobId,
        keyId === null ? null : (keyNames.get(keyId) ?? keyId),
      ]),
    )
    yield lines.join('')
  }
}
