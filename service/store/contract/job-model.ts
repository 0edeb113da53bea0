/**
 * The life of jobs as a small model, against which job stores are tested: random histories of commands, with a clock that is
 * set forwards and back, must have the same outcome in both. A failing history is shrunk to the shortest one.
 */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isFull } from '../../../testing/fixtures/full.ts'
import { message } from '../../shared/messages/message.ts'
import { guid } from '../interfaces/ids.ts'
import type { JobStatus, QueueLimits } from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import type { Stores } from '../interfaces/stores.ts'
import { INTERRUPTED_ALONE } from '../sql/leases.ts'
import { mostInterruptions, newJob, type OpenStores, success } from './fixtures.ts'

/** Small limits, so that short histories reach them. */
const LIMITS: QueueLimits = { openPerAccount: 4, openFromBatches: 2, runningPerAccount: 2 }
const CREDITS = 12
const LEASE_MS = 1000
const KEPT_MS = 5000
/** `REFILE_MODEL_RUNS` and `REFILE_MODEL_SEED` set how many and which histories are tried. */
const RUNS = Number(process.env.REFILE_MODEL_RUNS || (isFull ? 60 : 5))
const SEED = Number(process.env.REFILE_MODEL_SEED || 1)
const LONGEST_HISTORY = 60

interface ModelJob {
  id: string
  account: number
  cost: number
  status: JobStatus
  attempts: number
  interruptions: number
  owner: string
  leaseUntil: number
  outputUntil: number | null
  interrupted: boolean
}

interface Model {
  now: number
  balances: number[]
  /** When each account was last served. */
  turns: number[]
  /** In the order of submission, without removed ones. */
  jobs: ModelJob[]
}

interface Real {
  stores: Stores
  accounts: string[]
}

const isOpen = ({ status }: ModelJob) => status === 'Queued' || status === 'Running'

/** The whole state, compared after every command. */
async function compare(model: Model, { stores, accounts }: Real): Promise<void> {
  const found = await stores.jobs.getMany(model.jobs.map(({ id }) => id))
  const real = new Map(found.map(job => [job.id, job]))
  expect(
    model.jobs.map(({ id }) => {
      const job = real.get(id)
      return (
        job && {
          id,
          status: job.status,
          attempts: job.attempts,
          hasOutput: job.outputKey !== null,
          error: job.error?.code,
        }
      )
    }),
  ).toEqual(
    model.jobs.map(job => ({
      id: job.id,
      status: job.status,
      attempts: job.attempts,
      hasOutput: job.outputUntil !== null,
      error: job.status !== 'Failed' ? undefined : job.interrupted ? 'jobs.interrupted' : 'jobs.timeout',
    })),
  )
  for (const [index, id] of accounts.entries()) {
    const balance = (await stores.accounts.get(id))?.balance
    expect(balance).toBe(model.balances[index])
    const entries = await stores.accounts.entries(id, null, 1000)
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance)
    const own = model.jobs.filter(job => job.account === index)
    const { queued, running } = await stores.jobs.counts(id)
    expect([queued, running]).toEqual(
      ['Queued', 'Running'].map(status => own.filter(job => job.status === status).length),
    )
  }
}

type Command = fc.AsyncCommand<Model, Real>

/** A command with a name for the report, followed by the comparison. */
class Step implements Command {
  readonly #name: string
  readonly #run: (model: Model, real: Real) => Promise<void>

  constructor(name: string, run: (model: Model, real: Real) => Promise<void>) {
    this.#name = name
    this.#run = run
  }

  check = () => true

  async run(model: Model, real: Real): Promise<void> {
    await this.#run(model, real)
    await compare(model, real)
  }

  toString = () => this.#name
}

/** The job for a number; none before there are any. */
const pick = ({ jobs }: Model, number: number) => jobs[number % Math.max(1, jobs.length)]

const refund = (model: Model, job: ModelJob) => {
  model.balances[job.account]! += job.cost
}

const submit = (account: number, cost: number) =>
  new Step(`submit(account ${account}, ${cost} credits)`, async (model, { stores, accounts }) => {
    const job = newJob(accounts[account]!, { creditCost: cost, id: guid() })
    const { kind } = await stores.jobs.submit(job)
    const open = model.jobs.filter(other => other.account === account && isOpen(other)).length
    const balance = model.balances[account]!
    const expected =
      open >= LIMITS.openPerAccount ? 'queue_full' : balance < cost ? 'insufficient_credits' : 'queued'
    expect(kind).toBe(expected)
    if (expected !== 'queued') return
    model.balances[account] = balance - cost
    const fresh = {
      status: 'Queued',
      attempts: 0,
      interruptions: 0,
      owner: '',
      leaseUntil: 0,
      outputUntil: null,
    } as const
    model.jobs.push({ id: job.id, account, cost, ...fresh, interrupted: false })
  })

const claim = (owner: string, fromIdleAccounts: boolean) =>
  new Step(`claim(${owner}${fromIdleAccounts ? ', idle accounts' : ''})`, async (model, { stores }) => {
    const most = fromIdleAccounts ? 1 : LIMITS.runningPerAccount
    const runningOf = (account: number) =>
      model.jobs.filter(job => job.account === account && job.status === 'Running').length
    const [next] = model.jobs
      .filter(job => job.status === 'Queued' && runningOf(job.account) < most)
      .toSorted((a, b) => model.turns[a.account]! - model.turns[b.account]!)
    const claimed = await stores.jobs.claim({ owner, leaseMs: LEASE_MS, saturated: [], fromIdleAccounts })
    expect(claimed?.id).toBe(next?.id)
    if (!next) return
    model.turns[next.account] = Math.max(...model.turns) + 1
    Object.assign(next, {
      status: 'Running',
      owner,
      attempts: next.attempts + 1,
      leaseUntil: model.now + LEASE_MS,
    })
  })

const renew = (owner: string) =>
  new Step(`renew(${owner})`, async (model, { stores }) => {
    const attempts = model.jobs.map(({ id, attempts }) => ({ id, attempts }))
    const lost = await stores.jobs.renew(owner, attempts, LEASE_MS)
    const own = model.jobs.filter(job => job.status === 'Running' && job.owner === owner)
    expect(lost.toSorted()).toEqual(model.jobs.flatMap(job => (own.includes(job) ? [] : job.id)).toSorted())
    for (const job of own) job.leaseUntil = model.now + LEASE_MS
  })

/** An attempt ends; one that is not the last of its job has no effect. */
const end = (how: 'succeed' | 'fail', number: number, isLate: boolean) =>
  new Step(`${how}(job ${number}${isLate ? ', an earlier attempt' : ''})`, async (model, { stores }) => {
    const job = pick(model, number)
    if (!job) return
    const attempt = { id: job.id, attempts: job.attempts - (isLate ? 1 : 0) }
    const stored = (await stores.jobs.get(job.id))!
    const expiresAt = model.now + KEPT_MS
    const done =
      how === 'succeed'
        ? await stores.jobs.succeed(attempt, success(stored, { expiresAt }))
        : await stores.jobs.fail(attempt, { code: 'jobs.timeout', reason: message('jobs.timeout') }, [])
    expect(done).toBe(job.status === 'Running' && !isLate)
    if (!done) return
    if (how === 'succeed') Object.assign(job, { status: 'Succeeded', outputUntil: expiresAt })
    else {
      job.status = 'Failed'
      refund(model, job)
    }
  })

const cancel = (number: number) =>
  new Step(`cancel(job ${number})`, async (model, { stores }) => {
    const job = pick(model, number)
    if (!job) return
    expect(await stores.jobs.cancel(job.id)).toBe(isOpen(job))
    if (!isOpen(job)) return
    job.status = 'Canceled'
    refund(model, job)
  })

const remove = (number: number) =>
  new Step(`remove(job ${number})`, async (model, { stores }) => {
    const job = pick(model, number)
    if (!job) return
    expect(await stores.jobs.remove(job.id)).toBe(!isOpen(job))
    if (!isOpen(job)) model.jobs.splice(model.jobs.indexOf(job), 1)
  })

/** @param owner a host that has just started; undefined for none */
const recover = (owner?: string) =>
  new Step(`recover(${owner ?? ''})`, async (model, { stores }) => {
    const { requeued, interrupted } = await stores.jobs.recover(owner)
    const lost = model.jobs.filter(
      job => job.status === 'Running' && (job.leaseUntil <= model.now || job.owner === owner),
    )
    for (const job of lost) {
      const together = model.jobs.filter(other => other.status === 'Running' && other.owner === job.owner)
      job.interruptions += together.length > 1 ? 1 : INTERRUPTED_ALONE
    }
    const most = mostInterruptions(stores) * INTERRUPTED_ALONE
    const [again, given] = [
      lost.filter(({ interruptions }) => interruptions < most),
      lost.filter(({ interruptions }) => interruptions >= most),
    ]
    expect(requeued.map(({ id }) => id)).toEqual(again.map(({ id }) => id))
    expect(interrupted.map(({ id }) => id)).toEqual(given.map(({ id }) => id))
    for (const job of again) Object.assign(job, { status: 'Queued' })
    for (const job of given) {
      Object.assign(job, { status: 'Failed', interrupted: true })
      refund(model, job)
    }
  })

const requeue = (owner: string) =>
  new Step(`give back(${owner})`, async (model, { stores }) => {
    const own = model.jobs.filter(job => job.status === 'Running' && job.owner === owner)
    const given = await stores.jobs.requeue(owner)
    expect(given.map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted())
    for (const job of own) job.status = 'Queued'
  })

const expire = () =>
  new Step('expire', async (model, { stores }) => {
    const gone = model.jobs.filter(job => job.outputUntil !== null && job.outputUntil <= model.now)
    expect((await stores.jobs.expire(model.now)).map(({ id }) => id).toSorted()).toEqual(
      gone.map(({ id }) => id).toSorted(),
    )
    for (const job of gone) job.outputUntil = null
  })

const sweep = () =>
  new Step('blobs needed', async (model, { stores }) => {
    const needed = await stores.jobs.blobsNeeded([...model.jobs.map(({ id }) => id), guid()])
    expect(needed).toEqual(
      new Map(
        model.jobs.flatMap(job =>
          isOpen(job)
            ? [[job.id, jobBlobs.all(job.id)] as const]
            : job.outputUntil === null
              ? []
              : [[job.id, jobBlobs.output(job)] as const],
        ),
      ),
    )
  })

const purge = () =>
  new Step('forget', async (model, { stores }) => {
    const gone = await stores.jobs.purge(Number.MAX_SAFE_INTEGER)
    expect(gone).toHaveLength(model.jobs.filter(job => !isOpen(job)).length)
    model.jobs = model.jobs.filter(isOpen)
  })

const setClock = (ms: number) =>
  new Step(`clock ${ms > 0 ? '+' : ''}${ms} ms`, async model => {
    model.now += ms
    vi.setSystemTime(model.now)
  })

const topUp = (account: number) =>
  new Step(`top up(account ${account})`, async (model, { stores, accounts }) => {
    await stores.accounts.topUp(accounts[account]!, 3, 'Top-up')
    model.balances[account]! += 3
  })

const account = fc.integer({ min: 0, max: 1 })
const number = fc.nat({ max: 5 })
const host = fc.constantFrom('host', 'other')

const submitted = fc.tuple(account, fc.integer({ min: 0, max: 4 })).map(([who, cost]) => submit(who, cost))
const claimed = fc.tuple(host, fc.boolean()).map(([owner, idle]) => claim(owner, idle))
const recovered = fc.option(host, { nil: undefined }).map(recover)

/** The most frequent commands are listed most often. */
const commands = [
  submitted,
  submitted,
  submitted,
  claimed,
  claimed,
  claimed,
  recovered,
  recovered,
  host.map(renew),
  host.map(requeue),
  fc
    .tuple(fc.constantFrom('succeed', 'fail'), number, fc.boolean())
    .map(([how, job, late]) => end(how, job, late)),
  number.map(cancel),
  number.map(remove),
  fc.constant(expire()),
  fc.constant(sweep()),
  fc.constant(purge()),
  account.map(topUp),
  fc.constantFrom(LEASE_MS, KEPT_MS, -LEASE_MS, -KEPT_MS * 100, KEPT_MS * 100).map(setClock),
]

/** Every job store behaves like the model, whatever the history. */
export function jobModelContract(open: OpenStores, runs = RUNS): void {
  test('any history of jobs has the same outcome as the model', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const begin = Date.now()
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.commands(commands, { maxCommands: LONGEST_HISTORY, size: 'max' }),
          async history => {
            await using stores = await open(LIMITS)
            vi.setSystemTime(begin)
            const accounts = await Promise.all(
              ['First', 'Second'].map(
                async name => (await stores.accounts.create({ name, credits: CREDITS })).id,
              ),
            )
            const model: Model = { now: begin, balances: [CREDITS, CREDITS], turns: [0, 0], jobs: [] }
            await fc.asyncModelRun(() => ({ model, real: { stores, accounts } }), history)
          },
        ),
        { numRuns: runs, seed: SEED },
      )
    } finally {
      vi.useRealTimers()
    }
  })
}
