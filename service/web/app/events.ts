import type { SpeechModel } from '../../convert/models/list.ts'
import type { Pack } from '../../convert/models/model.ts'
import type { ModelState } from '../../convert/models/models.ts'
import { RequestError } from '../../shared/errors.ts'
import type { ServiceEvent } from '../../store/interfaces/events.ts'
import { forRole } from '../http/access.ts'
import { inSameLanguage } from '../http/language.ts'
import type { Routes } from '../http/schema.ts'
import { streamEvents } from '../http/server-sent-events.ts'
import type { Services } from '../services.ts'
import { shownPack, speechModel } from './models.ts'
import type { AppJob } from './types.ts'
import { appJobView, batchItems, shownBatch } from './views.ts'

/** `/app/events`: all changes of the account's jobs, batches, balance and downloads, as they happen. */
export function eventRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  member.get('/app/events', async (request, reply) => {
    const { accountId } = request.caller
    const { window: own } = request.query as { window?: string }
    const stream = streamEvents(request, reply)
    /** The running jobs as they were last read: progress, which comes with its event, changes nothing else of them. */
    const running = new Map<string, () => AppJob>()
    const sendJob = async (id: string) => {
      running.delete(id)
      const job = await services.stores.jobs.get(id)
      if (!job) return
      const view = await appJobView(job, services)
      if (job.status === 'Running') running.set(id, view)
      stream.send('job', view())
    }
    const sendProgress = async (id: string) => {
      const view = running.get(id)
      if (view) stream.send('job', view())
      else await sendJob(id)
    }
    const sendBatch = async (id: string) =>
      stream.send('batch', shownBatch(await services.batches.get(id, accountId), services.catalogue))
    const sendItem = async (id: string) => {
      const item = await services.stores.batches.item(id)
      if (item) stream.send('item', (await batchItems([item], services))[0])
    }
    const sendBalance = async () => {
      const account = await services.stores.accounts.get(accountId)
      stream.send('balance', { balance: account?.balance ?? 0 })
    }
    const send = async (event: ServiceEvent) => {
      if (event.type === 'progress' && event.progress) await sendProgress(event.jobId)
      else if (event.type === 'job' || event.type === 'progress') await sendJob(event.jobId)
      else if (event.type === 'job-removed') stream.send('removed', { id: event.jobId })
      else if (event.type === 'batch') await sendBatch(event.batchId)
      else if (event.type === 'item') await sendItem(event.itemId)
      else if (event.type === 'batch-removed') stream.send('batch-removed', { id: event.batchId })
      else if (event.type === 'waiting') stream.send('waiting', null)
      else await sendBalance()
    }
    // A deleted object has its own event.
    const unlessGone = (error: unknown) => {
      if (!(error instanceof RequestError)) throw error
    }
    stream.queue(sendBalance)
    const unsubscribe = services.stores.events.subscribe(
      inSameLanguage((event: ServiceEvent) => {
        // A window knows what it did itself.
        if (event.accountId !== accountId || (event.type === 'waiting' && event.window === own)) return
        stream.queue(() => send(event).catch(unlessGone))
      }),
    )
    const onModel = inSameLanguage((state: ModelState<SpeechModel>) =>
      stream.send('model', speechModel(state)),
    )
    const onPack = inSameLanguage((state: ModelState<Pack>) => stream.send('pack', shownPack(state)))
    services.models.speech.on('model', onModel)
    services.models.packs.on('model', onPack)
    stream.onClose(() => {
      unsubscribe()
      services.models.speech.off('model', onModel)
      services.models.packs.off('model', onPack)
    })
  })
}
