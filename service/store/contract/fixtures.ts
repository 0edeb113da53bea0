import { onTestFinished } from 'vitest'
import type { Account } from '../interfaces/accounts.ts'
import { guid } from '../interfaces/ids.ts'
import type { Claim, Job, NewJob, QueueLimits, Success } from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import type { Stores } from '../interfaces/stores.ts'

/** Opens empty stores with the given limits. Every implementation provides its own. */
export type OpenStores = (limits: QueueLimits) => Promise<Stores>

/** The contract's limits, for tests of stores. */
export const LIMITS: QueueLimits = { openPerAccount: 18, openFromBatches: 12, runningPerAccount: 6 }

/** Opens stores for one test, with an account that has 500 credits. */
export async function setUp(open: OpenStores): Promise<{ stores: Stores; account: Account }> {
  const stores = await open(LIMITS)
  onTestFinished(() => stores[Symbol.asyncDispose]())
  return { stores, account: await stores.accounts.owner({ name: 'Owner', credits: 500 }) }
}

export const newJob = (accountId: string, settings: Partial<NewJob> = {}): NewJob => ({
  id: guid(),
  accountId,
  origin: 'api',
  job: 'image.jpg-to-webp',
  category: 'images',
  targetKey: 'webp',
  options: { quality: 80 },
  inputName: 'a.jpg',
  inputFormat: 'jpg',
  inputBytes: 1000,
  measure: {},
  fileId: null,
  creditCost: 1,
  ...settings,
})

/** Submits a job that must be accepted. */
export async function submitted(
  stores: Stores,
  accountId: string,
  settings: Partial<NewJob> = {},
  batch?: { itemId: string },
): Promise<Job> {
  const submission = await stores.jobs.submit(newJob(accountId, settings), batch)
  if (submission.kind !== 'queued') throw new Error(`the job was refused: ${submission.kind}`)
  return submission.job
}

export const claim = (stores: Stores, settings: Partial<Claim> = {}): Promise<Job | undefined> =>
  stores.jobs.claim({ owner: 'host', leaseMs: 60_000, saturated: [], ...settings })

/** Submits a job and claims it. */
export async function running(
  stores: Stores,
  accountId: string,
  settings: Partial<NewJob> = {},
  claimed: Partial<Claim> = {},
): Promise<Job> {
  const { id } = await submitted(stores, accountId, settings)
  const job = await claim(stores, claimed)
  if (job?.id !== id) throw new Error('another job was claimed')
  return job
}

export const success = (job: Job, settings: Partial<Success> = {}): Success => ({
  fileName: 'a.webp',
  contentType: 'image/webp',
  fileCount: 1,
  bytes: 10,
  key: jobBlobs.output(job),
  expiresAt: Date.now() + 3600_000,
  warnings: [],
  ...settings,
})

export const balanceOf = async (stores: Stores, accountId: string): Promise<number | undefined> =>
  (await stores.accounts.get(accountId))?.balance

/** A lease of this length has expired when `leaseOver` resolves. */
export const SHORT_LEASE_MS = 5
export const leaseOver = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 4 * SHORT_LEASE_MS))

/** A job that loses its lease for this time is given up. */
export const mostInterruptions = ({ isShared }: Stores): number => (isShared ? 3 : 2)
