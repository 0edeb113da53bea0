import { expect, test } from 'vitest'
import { jobEvent, type ServiceEvent } from '../interfaces/events.ts'
import { type OpenStores, setUp } from './fixtures.ts'

/** What every implementation of events must do. */
export function eventsContract(open: OpenStores): void {
  test('every listener gets every event in order, until it unsubscribes', async () => {
    const { stores } = await setUp(open)
    const heard: ServiceEvent[][] = [[], []]
    const [leave] = heard.map(list => stores.events.subscribe(event => list.push(event)))
    const events: ServiceEvent[] = [
      jobEvent({ id: '1', accountId: 'a', batchId: null, attempts: 1 }, 'ended'),
      {
        type: 'progress',
        accountId: 'a',
        jobId: '1',
        progress: { percent: 5, phase: 'converting', eta: null, warnings: [] },
      },
      { type: 'progress', accountId: 'a', jobId: '1', progress: null },
      { type: 'balance', accountId: 'a' },
      { type: 'batch', accountId: 'b', batchId: '2' },
    ]
    for (const event of events) stores.events.publish(event)
    await expect.poll(() => heard).toEqual([events, events])
    leave?.()
    const last: ServiceEvent = { type: 'batch-removed', accountId: 'b', batchId: '2' }
    stores.events.publish(last)
    await expect.poll(() => heard[1]?.at(-1)).toEqual(last)
    expect(heard[0]).toEqual(events)
  })

  test('a listener that throws does not affect the others', async () => {
    const { stores } = await setUp(open)
    const heard: ServiceEvent[] = []
    stores.events.subscribe(() => {
      throw new Error('a fault of the listener')
    })
    stores.events.subscribe(event => heard.push(event))
    stores.events.publish({ type: 'balance', accountId: 'a' })
    await expect.poll(() => heard).toHaveLength(1)
  })
}
