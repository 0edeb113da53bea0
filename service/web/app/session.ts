import { targetLabel } from '../../convert/catalogue/catalogue.ts'
import { engines } from '../../convert/catalogue/engines.ts'
import { formats } from '../../convert/catalogue/formats.ts'
import { isMissing } from '../../convert/catalogue/missing.ts'
import { version } from '../../shared/config.ts'
import { RequestError } from '../../shared/errors.ts'
import { translated } from '../../shared/messages/languages.ts'
import { render } from '../../shared/messages/render.ts'
import { forRole } from '../http/access.ts'
import { type Caller, newSessionCookie, openSession } from '../http/caller.ts'
import { describeEngine } from '../http/engine-description.ts'
import { isLoopback } from '../http/hosts.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import type { About, Session, SignedIn } from './types.ts'

/** Processor time for a second of each encoder. */
const TRIALS_MS = 300_000

/** By which browsers tell that they load something which nobody has asked for yet, in today's and older ways. */
const SPECULATIVE = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** Opening the app: a one-time token in the URL becomes a session, and is removed from the address bar at once. */
export function openRoutes(app: Routes, services: Services): void {
  const anyone = forRole('anyone', app)
  anyone.get(
    '/open',
    { exposeHeadRoute: false, schema: { querystring: object({ token: optional(string()) }) } },
    async (request, reply) => {
      // A browser that is refused asks again when the person opens the link.
      if (SPECULATIVE.some(name => request.headers[name] !== undefined))
        throw new RequestError('server.unavailable')
      const session = await services.sessions.redeem(request.query.token ?? '', 'owner')
      return reply.redirect(session ? openSession(request, reply, session) : '/', 303)
    },
  )
}

/** Whether the recycle bin of this service's user is the caller's own: only the owner, at this machine, is known to be the same person. */
export const canRecycle = ({ config }: Services, { role }: Caller): boolean =>
  isLoopback(config.host) && role === 'owner'

const missing = ({ catalogue, engines }: Services) =>
  catalogue.converters.filter(converter => isMissing(converter, engines.unavailable))

const formatNames = ({ catalogue }: Services): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(formats).map(([key, { label }]) => [key, translated(label)]),
    ...catalogue.edges.map(edge => [edge.targetKey, translated(targetLabel(edge))]),
  ])

/** The current session and the app's data. */
export function sessionRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  member.get('/app/session', async ({ caller }): Promise<Session> => {
    const account = await services.stores.accounts.get(caller.accountId)
    const isOwner = caller.role === 'owner'
    const notice = isOwner ? services.stores.damage?.notice : undefined
    return {
      account: { id: caller.accountId, name: account?.name ?? '' },
      isOwner,
      canRecycle: canRecycle(services, caller),
      balance: account?.balance ?? 0,
      autoTopUp: (await services.funds.autoTopUp(caller.accountId)).on,
      version,
      formatNames: formatNames(services),
      notice: notice ? render(notice) : null,
    }
  })

  member.delete('/app/session', async (request, reply) => {
    const { accountId, sessionId = '' } = request.caller
    await services.sessions.end(accountId, sessionId)
    reply.header('set-cookie', newSessionCookie(request, '', 0))
  })

  member.get('/app/sessions', async ({ caller: { accountId, sessionId } }): Promise<SignedIn[]> => {
    const found = await services.sessions.list(accountId)
    return found.map(({ id, lastUsedAt }) => ({
      id,
      lastUsedAt: new Date(lastUsedAt).toISOString(),
      isThis: id === sessionId,
    }))
  })

  member.delete('/app/sessions/:id', { schema: { params: ById } }, async ({ caller, params }) => {
    if (!(await services.sessions.end(caller.accountId, params.id)))
      throw new RequestError('request.not_found')
  })

  owner.post('/app/notice/dismiss', async () => services.stores.damage?.dismiss())

  member.get('/app/missing', async (): Promise<string[]> => {
    await services.engines.all()
    return missing(services).map(({ job }) => job)
  })

  owner.get('/app/encoders', () =>
    services.pool.run('encoders', null, {
      ...{ engine: engines.video, queue: 'report', usesCards: true, timeoutMs: TRIALS_MS },
    }),
  )

  owner.get('/app/about', async (): Promise<About> => {
    const engines = await services.engines.all()
    const total = services.catalogue.converters.length
    return {
      version,
      url: services.url(),
      dataFolder: services.config.home,
      converters: { done: total - missing(services).length, total },
      engines: engines.map(describeEngine),
    }
  })
}
