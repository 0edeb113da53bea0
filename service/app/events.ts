import type { Routes } from '../http/schema.ts'
import { streamEvents } from '../http/server-sent-events.ts'
import type { ModelState } from '../models/models.ts'
import type { Services } from '../services.ts'
import { speechModel } from './models.ts'
import { appJob } from './views.ts'

/** `/app/events`: every change of the account's jobs and balance, and of the speech models, as it happens. */
export function eventRoutes(app: Routes, services: Services): void {
  const { events } = services.jobs
  app.get('/app/events', async (request, reply) => {
    const { accountId } = request.caller
    const stream = streamEvents(request, reply)
    const onJob = (id: string, owner: string) => {
      if (owner !== accountId) return
      services.jobs.get(id, accountId).then(
        job => stream.send('job', appJob(job, services)),
        () => {},
      )
    }
    const onRemoved = (id: string, owner: string) => {
      if (owner === accountId) stream.send('removed', { id })
    }
    const onBalance = (owner: string) => {
      if (owner === accountId) stream.send('balance', { balance: services.ledger.balance(accountId) })
    }
    const onModel = (state: ModelState) => stream.send('model', speechModel(state))
    events.on('job', onJob)
    events.on('removed', onRemoved)
    events.on('balance', onBalance)
    services.models.on('model', onModel)
    stream.onClose(() => {
      events.off('job', onJob)
      events.off('removed', onRemoved)
      events.off('balance', onBalance)
      services.models.off('model', onModel)
    })
    onBalance(accountId)
  })
}
