import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { message } from '../../shared/messages/message.ts'
import { guid } from '../interfaces/ids.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import { balanceOf, claim, newJob, type OpenStores, running, setUp, submitted, success } from './fixtures.ts'
import { leaseContract } from './leases.ts'

const reason = message('jobs.engine_crashed')
const failure = { code: 'jobs.engine_crashed', reason } as const

/** What every job store must do. */
export function jobStoreContract(open: OpenStores): void {
  describe('submitting', () => {
    test('charges and queues in one step', async () => {
      const { stores, account } = await setUp(open)
      const measure = { minutes: 2.5, probe: { tracks: ['aac'] } }
      const furtherSteps = [{ job: 'image.webp-to-png', targetKey: 'png', options: { password: 'Ω' } }]
      const job = await submitted(stores, account.id, { creditCost: 3, measure, furtherSteps })
      expect(job).toMatchObject({
        status: 'Queued',
        attempts: 0,
        options: { quality: 80 },
        furtherSteps,
        measure,
        inputSource: { kind: 'blob' },
        warnings: [],
        error: null,
        output: null,
        outputKey: null,
        batchId: null,
        savedTo: null,
        startedAt: null,
      })
      expect(await stores.jobs.get(job.id)).toEqual(job)
      expect(await balanceOf(stores, account.id)).toBe(497)
      expect((await stores.accounts.entries(account.id, null, 1))[0]).toMatchObject({
        kind: 'charge',
        amount: -3,
        jobId: job.id,
        category: 'images',
      })
    })

    test('queues nothing that the account cannot pay', async () => {
      const { stores, account } = await setUp(open)
      const job = newJob(account.id, { creditCost: 501 })
      expect(await stores.jobs.submit(job)).toEqual({ kind: 'insufficient_credits', available: 500 })
      expect(await stores.jobs.get(job.id)).toBeUndefined()
      expect(await balanceOf(stores, account.id)).toBe(500)
    })

    test('charges nothing if it fails halfway', async () => {
      const { stores, account } = await setUp(open)
      const job = newJob(account.id)
      await stores.jobs.submit(job)
      await expect(stores.jobs.submit(job)).rejects.toThrow()
      expect(await balanceOf(stores, account.id)).toBe(499)
      expect(await stores.accounts.entries(account.id, null, 10)).toHaveLength(2)
    })

    test('allows 18 open jobs per account, even when submitted at once', async () => {
      const { stores, account } = await setUp(open)
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => stores.jobs.submit(newJob(account.id))),
      )
      expect(answers.filter(({ kind }) => kind === 'queued')).toHaveLength(18)
      expect(answers.filter(({ kind }) => kind === 'queue_full')).toHaveLength(7)
      expect(await balanceOf(stores, account.id)).toBe(482)
      await claim(stores)
      expect(await stores.jobs.counts(account.id)).toEqual({ queued: 17, running: 1, fromBatches: 0 })
      expect((await stores.jobs.submit(newJob(account.id))).kind).toBe('queue_full')
      const other = await stores.accounts.create({ name: 'Other', credits: 1 })
      expect((await stores.jobs.submit(newJob(other.id))).kind).toBe('queued')
      expect(await stores.jobs.open()).toEqual({ queued: 18, running: 1 })
    })

    test('the same under the same key is one job, even when sent at once', async () => {
      const { stores, account } = await setUp(open)
      const submissionKey = { key: 'k', digest: 'a' }
      const send = (settings: object = {}) =>
        stores.jobs.submit(newJob(account.id, { submissionKey, creditCost: 2, ...settings }))
      const answers = await Promise.all(Array.from({ length: 6 }, () => send()))
      const [queued] = answers.flatMap(answer => (answer.kind === 'queued' ? [answer.job.id] : []))
      const repeated = { kind: 'repeated', job: { id: queued, creditCost: 2 } }
      expect(answers.filter(({ kind }) => kind === 'queued')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind !== 'queued')).toEqual(Array(5).fill(repeated))
      expect(await balanceOf(stores, account.id)).toBe(498)
      expect(await stores.jobs.submittedBefore(account.id, submissionKey)).toEqual(repeated)
      const other = { submissionKey: { key: 'k', digest: 'b' } }
      expect(await send(other)).toEqual({ kind: 'key_reused' })
      const another = await stores.accounts.create({ name: 'Other', credits: 5 })
      expect((await send({ accountId: another.id })).kind).toBe('queued')
      // Neither a full queue nor the end of the job changes the answer.
      for (let count = 1; count < 18; count++) await submitted(stores, account.id)
      await stores.jobs.cancel(queued!)
      await stores.jobs.remove(queued!)
      await submitted(stores, account.id)
      expect(await send()).toEqual(repeated)
    })

    test('the same under the same key is a new job once the first has failed by a fault of the service', async () => {
      const { stores, account } = await setUp(open)
      const submissionKey = { key: 'k', digest: 'a' }
      const send = () => stores.jobs.submit(newJob(account.id, { submissionKey, creditCost: 2 }))
      const codes = [
        'jobs.corrupt_input',
        'jobs.disk_full',
        'jobs.storage_failed',
        'jobs.interrupted',
      ] as const
      for (const code of codes.toReversed()) {
        expect((await send()).kind).toBe('queued')
        const job = await claim(stores)
        await stores.jobs.fail(job!, { code, reason: message('jobs.interrupted') }, [])
        expect((await stores.jobs.submittedBefore(account.id, submissionKey))?.kind).toBe(
          code === 'jobs.corrupt_input' ? 'repeated' : undefined,
        )
      }
      expect((await send()).kind).toBe('repeated')
    })

    test('a key of a submission is forgotten after a day, and one of a refused submission is never known', async () => {
      const { stores, account } = await setUp(open)
      const submissionKey = { key: 'k', digest: 'a' }
      const dear = newJob(account.id, { submissionKey, creditCost: 501 })
      expect((await stores.jobs.submit(dear)).kind).toBe('insufficient_credits')
      await submitted(stores, account.id, { submissionKey })
      await stores.jobs.expire(Date.now() + 23 * 3600_000)
      expect(await stores.jobs.submittedBefore(account.id, submissionKey)).toBeDefined()
      await stores.jobs.expire(Date.now() + 24 * 3600_000 + 1000)
      expect(await stores.jobs.submittedBefore(account.id, submissionKey)).toBeUndefined()
      await submitted(stores, account.id, { submissionKey })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600_000 + 1000 })
      onTestFinished(() => void vi.useRealTimers())
      expect((await stores.jobs.submit(newJob(account.id, { submissionKey }))).kind).toBe('queued')
    })

    test('marks the staged file as submitted', async () => {
      const { stores, account } = await setUp(open)
      const file = await stores.files.add({
        id: guid(),
        accountId: account.id,
        name: 'a.jpg',
        relativePath: null,
        bytes: 1,
        format: 'jpg',
        measure: {},
        problem: null,
        source: { kind: 'blob' },
        addedAt: 1,
        originalPath: null,
        modifiedAt: null,
      })
      const inputSource = { kind: 'path', path: '/a.jpg', bytes: 1, modifiedAt: 1.5 } as const
      const job = await submitted(stores, account.id, { fileId: file.id, inputSource })
      expect(job).toMatchObject({ fileId: file.id, inputSource })
      expect(await stores.files.unsubmitted(account.id)).toEqual([])
    })
  })

  describe('claiming', () => {
    test('takes jobs in order, each once', async () => {
      const { stores, account } = await setUp(open)
      const jobs = await Promise.all(Array.from({ length: 4 }, () => submitted(stores, account.id)))
      const first = await claim(stores)
      expect(first).toMatchObject({ status: 'Running', attempts: 1, startedAt: expect.any(Number) })
      expect(first?.id).toBe(jobs.toSorted((a, b) => a.seq - b.seq)[0]?.id)
      const rest = await Promise.all(
        Array.from({ length: 6 }, (_, host) => claim(stores, { owner: `${host}` })),
      )
      const ids = [first, ...rest].flatMap(job => job?.id ?? [])
      expect(ids.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
    })

    test('runs at most 6 jobs of an account at once', async () => {
      const { stores, account } = await setUp(open)
      for (let count = 0; count < 8; count++) await submitted(stores, account.id)
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(stores)))
      // Which of the claims get nothing is not certain.
      const claimed = claims.filter(job => job !== undefined)
      expect(claimed).toHaveLength(6)
      await stores.jobs.cancel(claimed[0]!.id)
      expect(await claim(stores)).toBeDefined()
      expect(await claim(stores)).toBeUndefined()
    })

    test('accounts take turns', async () => {
      const { stores, account } = await setUp(open)
      const other = await stores.accounts.create({ name: 'Other', credits: 500 })
      for (const accountId of [account.id, account.id, account.id, other.id, other.id]) {
        await submitted(stores, accountId)
      }
      const turns: (string | undefined)[] = []
      for (let count = 0; count < 5; count++) turns.push((await claim(stores))?.accountId)
      expect(turns).toEqual([account.id, other.id, account.id, other.id, account.id])
    })

    test('takes only jobs of accounts without running jobs if asked to', async () => {
      const { stores, account } = await setUp(open)
      const other = await stores.accounts.create({ name: 'Other', credits: 500 })
      for (const accountId of [account.id, account.id, other.id, other.id]) await submitted(stores, accountId)
      expect((await claim(stores))?.accountId).toBe(account.id)
      expect((await claim(stores, { fromIdleAccounts: true }))?.accountId).toBe(other.id)
      expect(await claim(stores, { fromIdleAccounts: true })).toBeUndefined()
      expect(await claim(stores)).toBeDefined()
    })

    test('skips job types of which the host can run no more', async () => {
      const { stores, account } = await setUp(open)
      await submitted(stores, account.id, { job: 'heavy' })
      const light = await submitted(stores, account.id, { job: 'light' })
      expect((await claim(stores, { saturated: ['heavy', 'other'] }))?.id).toBe(light.id)
      expect(await claim(stores, { saturated: ['heavy'] })).toBeUndefined()
      expect((await claim(stores))?.job).toBe('heavy')
    })
  })

  describe('ending', () => {
    test('with success keeps the output and the charge', async () => {
      const { stores, account } = await setUp(open)
      const job = await running(stores, account.id)
      const warnings = [message('jobs.corrupt_input')]
      expect(await stores.jobs.succeed(job, success(job, { warnings, expiresAt: 5 }))).toBe(true)
      expect(await stores.jobs.get(job.id)).toMatchObject({
        status: 'Succeeded',
        output: { fileName: 'a.webp', contentType: 'image/webp', fileCount: 1 },
        outputBytes: 10,
        outputKey: `jobs/${job.id}/output-1`,
        warnings,
        expiresAt: 5,
        finishedAt: expect.any(Number),
      })
      expect(await balanceOf(stores, account.id)).toBe(499)
    })

    test('with failure keeps the reason and refunds once', async () => {
      const { stores, account } = await setUp(open)
      const job = await running(stores, account.id, { creditCost: 4 })
      const late = message('input.changed')
      expect(await stores.jobs.fail(job, failure, [late])).toBe(true)
      expect(await stores.jobs.fail(job, failure, [])).toBe(false)
      expect(await stores.jobs.get(job.id)).toMatchObject({
        status: 'Failed',
        error: failure,
        warnings: [late],
      })
      expect(await balanceOf(stores, account.id)).toBe(500)
      expect((await stores.accounts.entries(account.id, null, 1))[0]).toMatchObject({
        kind: 'refund',
        amount: 4,
        jobId: job.id,
      })
    })

    test('by cancel refunds once, queued or running, and ends nothing twice', async () => {
      const { stores, account } = await setUp(open)
      const first = await running(stores, account.id)
      const second = await submitted(stores, account.id)
      for (const { id } of [first, second]) {
        const answers = await Promise.all([stores.jobs.cancel(id), stores.jobs.cancel(id)])
        expect(answers.filter(done => done)).toHaveLength(1)
        expect(await stores.jobs.get(id)).toMatchObject({ status: 'Canceled' })
      }
      expect(await stores.jobs.succeed(first, success(first))).toBe(false)
      expect(await stores.jobs.fail(first, failure, [])).toBe(false)
      expect(await balanceOf(stores, account.id)).toBe(500)
    })

    test('in two ways at once, only one takes effect, and the money is right', async () => {
      const { stores, account } = await setUp(open)
      let left = 500
      for (let round = 0; round < 5; round++) {
        const job = await running(stores, account.id)
        const [canceled, succeeded] = await Promise.all([
          stores.jobs.cancel(job.id),
          stores.jobs.succeed(job, success(job)),
        ])
        expect(canceled).not.toBe(succeeded)
        if (succeeded) left--
        expect(await balanceOf(stores, account.id)).toBe(left)
      }
    })

    test('a job that does not run cannot succeed or fail', async () => {
      const { stores, account } = await setUp(open)
      const job = await submitted(stores, account.id)
      expect(await stores.jobs.succeed(job, success(job))).toBe(false)
      expect(await stores.jobs.fail(job, failure, [])).toBe(false)
      expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'Queued' })
    })
  })

  describe('leases', () => leaseContract(open))

  describe('history', () => {
    test('lists an account’s jobs, newest first, page by page', async () => {
      const { stores, account } = await setUp(open)
      const other = await stores.accounts.create({ name: 'Other', credits: 1 })
      const ids: string[] = []
      for (let count = 0; count < 5; count++) ids.unshift((await submitted(stores, account.id)).id)
      await submitted(stores, other.id)
      const page = await stores.jobs.list(account.id, null, 3)
      expect(page.map(({ id }) => id)).toEqual(ids.slice(0, 3))
      const rest = await stores.jobs.list(account.id, page.at(-1)!.seq, 3)
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(3))
      const some = await stores.jobs.getMany([ids[4]!, guid(), ids[1]!])
      expect(new Set(some.map(({ id }) => id))).toEqual(new Set([ids[1], ids[4]]))
    })

    test('outputs expire, but the job stays', async () => {
      const { stores, account } = await setUp(open)
      const job = await running(stores, account.id)
      await stores.jobs.succeed(job, success(job, { expiresAt: 1000 }))
      expect(await stores.jobs.expire(999)).toEqual([])
      expect(await stores.jobs.expire(1000)).toMatchObject([{ id: job.id, outputKey: null }])
      expect(await stores.jobs.expire(1000)).toEqual([])
      expect(await stores.jobs.get(job.id)).toMatchObject({ output: { fileName: 'a.webp' }, outputKey: null })
    })

    test('only terminal jobs can be removed or forgotten', async () => {
      const { stores, account } = await setUp(open)
      const done = await running(stores, account.id)
      await stores.jobs.succeed(done, success(done))
      const removed = await running(stores, account.id)
      expect(await stores.jobs.remove(removed.id)).toBe(false)
      await stores.jobs.cancel(removed.id)
      expect(await stores.jobs.remove(removed.id)).toBe(true)
      const open_ = await submitted(stores, account.id)
      expect(await stores.jobs.purge(Date.now() - 1000)).toEqual([])
      expect((await stores.jobs.purge(Date.now() + 1000)).map(({ id }) => id)).toEqual([done.id])
      expect((await stores.jobs.list(account.id, null, 10)).map(({ id }) => id)).toEqual([open_.id])
    })

    test('lists the files that are still needed', async () => {
      const { stores, account } = await setUp(open)
      const done = await running(stores, account.id)
      await stores.jobs.succeed(done, success(done, { expiresAt: 1000 }))
      const failed = await running(stores, account.id)
      await stores.jobs.fail(failed, failure, [])
      const runs = await running(stores, account.id)
      const waits = await submitted(stores, account.id)
      const ids = [done.id, failed.id, runs.id, waits.id, guid()]
      expect(await stores.jobs.blobsNeeded(ids)).toEqual(
        new Map([
          [done.id, jobBlobs.output(done)],
          [runs.id, jobBlobs.all(runs.id)],
          [waits.id, jobBlobs.all(waits.id)],
        ]),
      )
      await stores.jobs.expire(1000)
      expect((await stores.jobs.blobsNeeded(ids)).has(done.id)).toBe(false)
    })
  })
}
