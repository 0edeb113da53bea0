import { RequestError } from '../../shared/errors.ts'
import { jobs } from '../../shared/messages/en/jobs.ts'
import { watch } from '../../shared/messages/en/watch.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import type { Rule } from '../../watch/rule.ts'
import type { Status } from '../../watch/status.ts'
import { forRole } from '../http/access.ts'
import type { Caller } from '../http/caller.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { canRecycle } from './session.ts'
import { NewWatchRule, WatchChange, type WatchRule } from './types.ts'

/** How many files that failed are listed of each rule. */
const LISTED = 100

/** Folders of this machine whose files are converted as they come. */
export function watchRoutes(app: Routes, services: Services): void {
  const owner = forRole('owner', app)
  const { watching } = services
  owner.get('/app/watch', async ({ caller }) => (await watching.list(caller.accountId)).map(shown))

  const ruleOf = (caller: Caller, body: NewWatchRule): Rule => {
    const { recursive = false, pattern = '*', options = {}, moveTo = null, original = 'keep', ...rest } = body
    if (original === 'recycle' && !canRecycle(services, caller))
      throw new RequestError('request.invalid_parameter', message('watch.cannot_recycle'))
    return { ...rest, recursive, pattern, options, moveTo, original }
  }

  owner.post('/app/watch', { schema: { body: NewWatchRule } }, async ({ caller, body }, reply) =>
    reply.code(201).send(shown(await watching.add(caller.accountId, ruleOf(caller, body)))),
  )

  owner.put(
    '/app/watch/:id',
    { schema: { params: ById, body: NewWatchRule } },
    async ({ caller, params, body }) =>
      shown(await watching.change(caller.accountId, params.id, ruleOf(caller, body))),
  )

  owner.patch(
    '/app/watch/:id',
    { schema: { params: ById, body: WatchChange } },
    async ({ caller, params, body }) =>
      shown(await watching.setPaused(caller.accountId, params.id, body.paused)),
  )

  owner.post('/app/watch/:id/retry', { schema: { params: ById } }, async ({ caller, params }) =>
    shown(await watching.retry(caller.accountId, params.id)),
  )

  owner.delete('/app/watch/:id', { schema: { params: ById } }, ({ caller, params }) =>
    watching.remove(caller.accountId, params.id),
  )
}

const shown = ({ rule, id, paused, done, writing, parked, problem, last }: Status): WatchRule => ({
  ...{ original: 'keep', ...rule, id, paused, done, writing },
  last: last && { file: last.file, output: last.output ?? null },
  failed: parked.slice(0, LISTED).map(({ file, code, detail }) => ({ file, detail: reasonOf(code, detail) })),
  problem: problem && render(problem),
})

const known = { ...jobs, ...watch }

/** The journal has the reason as it was then; where the code says as much, the text is in the language of the person. */
const reasonOf = (code: string, detail: string): string =>
  code in known ? render({ key: code as keyof typeof known } as Message) : detail
