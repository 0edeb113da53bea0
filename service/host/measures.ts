import type { Stores } from '../store/interfaces/stores.ts'
import { durationsOf, increase, type JobStatistics, STORE_BOUNDS } from '../work/jobs/statistics.ts'

/** Counts what is asked of the stores, for `/metrics`. */
export function measure({ jobs, blobs, webhooks }: Stores, statistics: JobStatistics): void {
  const claim = jobs.claim.bind(jobs)
  jobs.claim = async given => {
    const started = performance.now()
    const job = await claim(given)
    statistics.claims.add((performance.now() - started) / 1000)
    return job
  }
  const renew = jobs.renew.bind(jobs)
  jobs.renew = async (...given) => {
    const lost = await renew(...given)
    statistics.leasesLost += lost.length
    return lost
  }
  const settle = webhooks.settle.bind(webhooks)
  webhooks.settle = async (delivery, result) => {
    await settle(delivery, result)
    increase(statistics.webhooks, result.state === 'pending' ? 'retried' : result.state)
  }
  const timed = <Given extends unknown[], Answer>(
    name: string,
    work: (...given: Given) => Promise<Answer>,
  ) => {
    return async (...given: Given): Promise<Answer> => {
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
  }
  blobs.put = timed('put', blobs.put.bind(blobs))
  blobs.checkout = timed('checkout', blobs.checkout.bind(blobs))
  blobs.open = timed('open', blobs.open.bind(blobs))
  blobs.copy = timed('copy', blobs.copy.bind(blobs))
  blobs.remove = timed('remove', blobs.remove.bind(blobs))
  blobs.list = timed('list', blobs.list.bind(blobs))
}
