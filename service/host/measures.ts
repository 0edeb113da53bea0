import { wrapped } from '../shared/wrapped.ts'
import type { BlobStore } from '../store/interfaces/blobs.ts'
import type { Stores } from '../store/interfaces/stores.ts'
import { durationsOf, increase, type JobStatistics, STORE_BOUNDS } from '../work/jobs/statistics.ts'

/** Stores that count for `/metrics` what is asked of them. */
export function measured(stores: Stores, statistics: JobStatistics): Stores {
  const { jobs, blobs, webhooks } = stores
  const timed =
    <Given extends unknown[], Answer>(name: string, work: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const started = performance.now()
      try {
        const answer = await work(...given)
        durationsOf(statistics.storage, name, STORE_BOUNDS).add((performance.now() - started) / 1000)
        return answer
      } catch (error) {
        increase(statistics.storageFailures, name)
        throw error
      }
    }
  return wrapped(stores, {
    jobs: wrapped(jobs, {
      async claim(given) {
        const started = performance.now()
        const job = await jobs.claim(given)
        statistics.claims.add((performance.now() - started) / 1000)
        return job
      },
      async renew(...given) {
        const lost = await jobs.renew(...given)
        statistics.leasesLost += lost.length
        return lost
      },
    }),
    webhooks: wrapped(webhooks, {
      async settle(delivery, result) {
        await webhooks.settle(delivery, result)
        increase(statistics.webhooks, result.state === 'pending' ? 'retried' : result.state)
      },
    }),
    blobs: wrapped<BlobStore>(blobs, {
      put: timed('put', (...given) => blobs.put(...given)),
      checkout: timed('checkout', (...given) => blobs.checkout(...given)),
      open: timed('open', (...given) => blobs.open(...given)),
      copy: timed('copy', (...given) => blobs.copy(...given)),
      remove: timed('remove', (...given) => blobs.remove(...given)),
      list: timed('list', (...given) => blobs.list(...given)),
    }),
  })
}
