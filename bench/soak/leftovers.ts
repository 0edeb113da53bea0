/** What a stopped service leaves behind: in its database, in its data folder, and as processes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

function rows(home: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(home, 'refile.sqlite'), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** Jobs that have not ended, and accounts and jobs with wrong charges. */
export function wrongMoney(home: string): string[] {
  const open = rows(home, `SELECT id, status FROM jobs WHERE status IN ('Queued', 'Running')`)
  const balances = rows(
    home,
    `SELECT id, balance, (SELECT SUM(amount) FROM ledger WHERE account_id = accounts.id) AS sum FROM accounts
     WHERE balance <> sum`,
  )
  const charges = rows(
    home,
    `SELECT jobs.id, status, credit_cost, (SELECT SUM(amount) FROM ledger WHERE job_id = jobs.id) AS paid FROM jobs
     WHERE paid <> iif(status = 'Succeeded', -credit_cost, 0)`,
  )
  return [...open, ...balances, ...charges].map(row => JSON.stringify(row))
}

/** Files in the data folder that no job needs. */
export function leftovers(home: string): string[] {
  const needed = new Set(
    rows(home, 'SELECT output_key FROM jobs WHERE output_kept = 1').map(row => row.output_key),
  )
  return ['incoming', 'scratch', 'blobs'].flatMap(folder =>
    readdirSync(join(home, folder), { recursive: true, withFileTypes: true }).flatMap(entry => {
      const path = join(entry.parentPath, entry.name)
      const isNeeded = needed.has(path.slice(join(home, 'blobs').length + 1))
      return entry.isFile() && !isNeeded ? [path] : []
    }),
  )
}

/** Processes that services with these ids started and that still run. */
export function processesOf(services: readonly number[]): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .filter(pid => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
        return services.some(service => environment.includes(`REFILE_SERVICE_PID=${service}`))
      } catch {
        return false
      }
    })
}
