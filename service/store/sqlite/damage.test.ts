import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { kinds } from '../../../testing/fixtures/full.ts'
import { render } from '../../shared/messages/render.ts'
import { LIMITS, newJob } from '../contract/fixtures.ts'
import { openEmbeddedStores } from '../embedded.ts'
import { Backups, backupsOf } from './backups.ts'
import { openSound } from './damage.ts'
import { Database } from './database.ts'
import { migrations } from './intact.ts'

const DAY_MS = 24 * 3600_000
const PAGE = 4096

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'refile-damage-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

const databaseOf = (home: string) => join(home, 'refile.sqlite')

/** Leaves an account with a job. */
async function used(home: string): Promise<string> {
  await using stores = await openEmbeddedStores(home, LIMITS, () => {})
  const { id } = await stores.accounts.owner({ name: 'Owner', credits: 500 })
  await stores.jobs.submit(newJob(id))
  return id
}

async function backUp(home: string): Promise<void> {
  const database = new Database(databaseOf(home))
  const backups = new Backups(database, databaseOf(home), error => {
    throw error
  })
  await backups.makeIfDue()
  await backups.stop()
  database.close()
}

async function overwrite(path: string, bytes: Uint8Array, position: number): Promise<void> {
  await using file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, position)
}

const rubbish = Buffer.alloc(600, 0x5a)

test('a damaged database is kept, its backup is used, and both are reported', async () => {
  const home = await newHome()
  const account = await used(home)
  await backUp(home)
  await overwrite(databaseOf(home), rubbish, 0)
  const damaged = await readFile(databaseOf(home))
  const errors: Error[] = []
  await using stores = await openEmbeddedStores(home, LIMITS, error => errors.push(error as Error))
  expect(await stores.accounts.get(account)).toMatchObject({ balance: 499 })
  expect(await stores.jobs.list(account, null, 10)).toHaveLength(1)
  const kept = readdirSync(home).find(name => /^refile\.sqlite\.damaged-\d{4}-\d\d-\d\d$/.test(name))!
  expect(await readFile(join(home, kept))).toEqual(damaged)
  expect(errors).toMatchObject([{ message: expect.stringContaining(kept) }])
  expect(errors[0]?.message).toMatch(/its backup refile-\d{4}-\d\d-\d\d\.sqlite is used instead/)
})

test('without a backup it starts empty, and every damaged file is kept under a separate name', async () => {
  const home = await newHome()
  for (const name of [/damaged-[\d-]{10}$/, /damaged-[\d-]{10}-2$/]) {
    const account = await used(home)
    await overwrite(databaseOf(home), rubbish, 0)
    const errors: unknown[] = []
    await using stores = await openEmbeddedStores(home, LIMITS, error => errors.push(error))
    expect(await stores.accounts.get(account)).toBeUndefined()
    expect(readdirSync(home).some(file => name.test(file))).toBe(true)
    expect(String(errors)).toContain('there is no sound backup')
  }
})

test('a damaged backup is skipped', async () => {
  const home = await newHome()
  await used(home)
  await backUp(home)
  const [today = ''] = await backupsOf(databaseOf(home))
  const earlier = join(home, 'backups', 'refile-2020-01-01.sqlite')
  await writeFile(earlier, await readFile(today))
  await overwrite(today, rubbish, 0)
  await overwrite(databaseOf(home), rubbish, 0)
  const errors: unknown[] = []
  const { database } = await openSound(databaseOf(home), error => errors.push(error))
  expect(database.all('SELECT * FROM jobs')).toHaveLength(1)
  database.close()
  expect(String(errors)).toContain('refile-2020-01-01.sqlite')
})

test('damage within the pages is found if the last life was interrupted', async () => {
  const home = await newHome()
  await used(home)
  const path = databaseOf(home)
  const bytes = await readFile(path)
  // The page with some table's rows; the header and the schema are unchanged.
  const page = bytes.indexOf('a.jpg') & ~4095
  await overwrite(path, rubbish, page)
  await writeFile(`${path}-wal`, 'cut off')
  const errors: unknown[] = []
  const { database } = await openSound(path, error => errors.push(error))
  database.close()
  expect(String(errors)).toContain('was damaged')
})

/** What the stores of a data folder hold, and what was reported when they were opened. */
async function reopened(home: string, account: string) {
  const errors: unknown[] = []
  await using stores = await openEmbeddedStores(home, LIMITS, error => errors.push(error))
  return {
    errors: String(errors),
    balance: (await stores.accounts.get(account))?.balance,
    notice: stores.damage?.notice && render(stores.damage.notice),
  }
}

test.for(['emptied', 'missing'])('a database that is %s counts as damaged', async kind => {
  const home = await newHome()
  const account = await used(home)
  await backUp(home)
  if (kind === 'emptied') await truncate(databaseOf(home))
  else await rm(databaseOf(home))
  const { errors, balance, notice } = await reopened(home, account)
  expect(balance).toBe(499)
  expect(errors).toContain('it is empty or missing')
  expect(notice).toMatch(/Refile uses its copy of \d{4}-\d\d-\d\d/)
  // Shown until somebody dismisses it.
  expect(await reopened(home, account)).toMatchObject({ errors: '', notice })
})

test('without a backup either, what is left of it is a key, and the new one is reported', async () => {
  const home = await newHome()
  const account = await used(home)
  await rm(databaseOf(home))
  await rm(`${databaseOf(home)}-closed`)
  const { errors, balance, notice } = await reopened(home, account)
  expect(balance).toBeUndefined()
  expect(errors).toContain('there is no sound backup')
  expect(notice).toContain('began with a new one')
})

testFull(
  'whichever page is damaged, with garbage or zeros, the intact copy is opened',
  async () => {
    const home = await newHome()
    const account = await used(home)
    await backUp(home)
    const path = databaseOf(home)
    const intact = await readFile(path)
    const missed: string[] = []
    for (let page = 0; page < intact.length / PAGE; page++) {
      for (const content of kinds([0x5a, 0], content => (content === 0) === (page % 2 === 0))) {
        const damaged = Buffer.from(intact).fill(content, page * PAGE, (page + 1) * PAGE)
        await writeFile(path, damaged)
        const errors: unknown[] = []
        const { database } = await openSound(path, error => errors.push(error))
        if (errors.length === 0 || database.all('SELECT * FROM jobs').length !== 1)
          missed.push(`page ${page} of ${content}: ${errors}`)
        database.close()
      }
    }
    expect(missed).toEqual([])
    expect((await reopened(home, account)).balance).toBe(499)
  },
  60_000,
)

test('a database that was closed is not read again, one that was changed since is', async () => {
  const home = await newHome()
  await used(home)
  const all = vi.spyOn(Database.prototype, 'all')
  onTestFinished(() => all.mockRestore())
  const checks = () => all.mock.calls.filter(([sql]) => sql.includes('quick_check')).length
  new Database(databaseOf(home)).close()
  expect(checks()).toBe(0)
  await utimes(databaseOf(home), 1, 1)
  new Database(databaseOf(home)).close()
  expect(checks()).toBe(1)
})

test('no backup is deleted for one that is not intact', async () => {
  const home = await newHome()
  await used(home)
  await backUp(home)
  const [today = ''] = await backupsOf(databaseOf(home))
  const names = ['01', '02', '03'].map(day => join(home, 'backups', `refile-2020-01-${day}.sqlite`))
  for (const name of names) await writeFile(name, await readFile(today))
  await rm(today)
  const path = databaseOf(home)
  const database = new Database(path)
  const old = new Date(Date.now() - 2 * DAY_MS)
  await utimes(names[2]!, old, old)
  // Damaged while it is open: the copy has the damaged page.
  const bytes = await readFile(path)
  const kept = vi.spyOn(database, 'backupTo').mockImplementation(async to => {
    await writeFile(to, bytes.fill(0x5a, bytes.indexOf('a.jpg') & ~(PAGE - 1)))
  })
  onTestFinished(() => kept.mockRestore())
  const errors: unknown[] = []
  const backups = new Backups(database, path, error => errors.push(error))
  await backups.makeIfDue()
  await backups.stop()
  database.close()
  expect(String(errors)).toContain('not intact')
  expect((await backupsOf(path)).toSorted()).toEqual(names)
  expect(readdirSync(home)).not.toContain('refile.sqlite-closed')
})

test('a migration is preceded by a backup, which is the newest one', async () => {
  const home = await newHome()
  const path = databaseOf(home)
  const old = new DatabaseSync(path)
  old.exec(`${migrations[0]} PRAGMA user_version = 1;`)
  migrations.push('ALTER TABLE accounts ADD COLUMN later TEXT')
  onTestFinished(() => void migrations.pop())
  old.exec(`INSERT INTO accounts (id, name, created_at) VALUES ('a', 'Owner', 1)`)
  old.close()
  await mkdir(join(home, 'backups'))
  await writeFile(join(home, 'backups', `refile-${new Date().toISOString().slice(0, 10)}.sqlite`), '')
  const { database } = await openSound(path, () => {})
  database.close()
  const [newest = ''] = await backupsOf(path)
  expect(newest).toContain('before-migration')
  const copy = new DatabaseSync(newest, { readOnly: true })
  expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  expect(copy.prepare('SELECT id FROM accounts').all()).toEqual([{ id: 'a' }])
  copy.close()
})

test('a file that is not a database at all is kept as well', async () => {
  const home = await newHome()
  await writeFile(
    databaseOf(home),
    'This is a text of somebody, long enough to be looked at by SQLite. '.repeat(40),
  )
  const errors: unknown[] = []
  const { database } = await openSound(databaseOf(home), error => errors.push(error))
  database.close()
  expect(String(errors)).toContain('was kept as refile.sqlite.damaged-')
})

test('a backup is made each day, complete even during writes, and three are kept', async () => {
  const home = await newHome()
  await used(home)
  await backUp(home)
  await backUp(home)
  expect(await backupsOf(databaseOf(home))).toHaveLength(1)
  const [first = ''] = await backupsOf(databaseOf(home))
  for (const day of ['01', '02', '03', '04']) {
    await writeFile(join(home, 'backups', `refile-2020-01-${day}.sqlite`), '')
  }
  const yesterday = new Date(Date.now() - DAY_MS - 1000)
  await utimes(first, yesterday, yesterday)
  await backUp(home)
  expect((await backupsOf(databaseOf(home))).map(path => path.slice(-'01-04.sqlite'.length))).toEqual([
    first.slice(-'01-04.sqlite'.length),
    '01-04.sqlite',
    '01-03.sqlite',
  ])
  expect(readdirSync(join(home, 'backups')).filter(name => name.endsWith('.part'))).toEqual([])
})
