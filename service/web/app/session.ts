import { isMissing } from '../../convert/catalogue/missing.ts'
import { version } from '../../shared/config.ts'
import { render } from '../../shared/messages/render.ts'
import { sessionCookie } from '../http/caller.ts'
import { describeEngine } from '../http/engine-description.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import type { About, Session } from './types.ts'

/** Opening the app: a one-time token in the URL becomes a cookie, and is removed from the address bar at once. */
export function openRoutes(app: Routes, services: Services): void {
  app.get(
    '/open',
    { schema: { querystring: object({ token: optional(string()) }) } },
    async (request, reply) => {
      const session = await services.sessions.redeem(request.query.token ?? '')
      if (session) {
        const secure = request.protocol === 'https' ? '; Secure' : ''
        const cookie = `${sessionCookie(request.headers.host)}=${session}; HttpOnly; SameSite=Strict; Path=/${secure}`
        reply.header('set-cookie', cookie)
      }
      return reply.redirect('/', 303)
    },
  )
}

const missing = ({ catalogue, engines }: Services) =>
  catalogue.converters.filter(converter => isMissing(converter, engines.unavailable))

/** The current session and the app's data. */
export function sessionRoutes(app: Routes, services: Services): void {
  app.get('/app/session', async ({ caller }): Promise<Session> => {
    const account = await services.accounts.get(caller.accountId)
    const isOwner = await services.accounts.isOwner(caller.accountId)
    const notice = isOwner ? services.stores.damage?.notice : undefined
    return {
      account: { id: caller.accountId, name: account?.name ?? '' },
      isOwner,
      balance: account?.balance ?? 0,
      autoTopUp: (await services.funds.autoTopUp(caller.accountId)).on,
      version,
      notice: notice ? render(notice) : null,
    }
  })

  app.post('/app/notice/dismiss', async (_, reply) => {
    await services.stores.damage?.dismiss()
    return reply.code(204).send()
  })

  app.get('/app/missing', async (): Promise<string[]> => {
    await services.engines.all()
    return missing(services).map(({ job }) => job)
  })

  app.get('/app/about', async (): Promise<About> => {
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
