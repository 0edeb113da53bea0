import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountRefused } from '../../accounts/administration.ts'
import type { IdentityProvider, Pending } from '../../accounts/identity/provider.ts'
import { SESSION_LIFETIME_MS } from '../../accounts/sessions.ts'
import { message } from '../../shared/messages/message.ts'
import type { SessionToken } from '../../store/interfaces/accounts.ts'
import { forRole } from '../http/access.ts'
import { isTls, openSession } from '../http/caller.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { type SignInPage, sendSignInPage } from './sign-in-page.ts'

const querystring = object({ token: optional(string()) })

/** The browser keeps the session for as long as it lasts unused. */
const signedIn = (request: FastifyRequest, reply: FastifyReply, session: SessionToken): string =>
  openSession(request, reply, session, SESSION_LIFETIME_MS / 1000)

/**
 * `/sign-in?token=…`: the page asks for a click, so that programs that look at links before people do use none of them up; the
 * click exchanges the token for a session. Without a token it leads to the provider of identities, if there is one.
 */
export function signInRoutes(app: Routes, services: Services): void {
  const anyone = forRole('anyone', app)
  const { sessions, identity } = services
  anyone.get('/sign-in', { schema: { hide: true, querystring } }, async (request, reply) =>
    sendSignInPage(request, reply, entrance(request.query.token, identity)),
  )

  anyone.post('/sign-in', { schema: { hide: true, querystring } }, async (request, reply) => {
    const session = await sessions.redeem(request.query.token ?? '', 'member')
    if (session === undefined)
      return sendSignInPage(request, reply, { status: 410, text: message('signIn.over') })
    return reply.redirect(signedIn(request, reply, session), 303)
  })

  if (identity) providerRoutes(app, services, identity)
}

function entrance(token: string | undefined, identity: IdentityProvider | undefined): SignInPage {
  if (token !== undefined) return { text: message('signIn.once'), button: { text: message('signIn.button') } }
  if (!identity) return { text: message('signIn.ask') }
  return { text: message('signIn.choose', { provider: identity.name }), button: toProvider(identity) }
}

const toProvider = ({ name }: IdentityProvider) => ({
  text: message('signIn.with', { provider: name }),
  href: '/sign-in/start',
})

/** What a sign-in that has started remembers, sealed; the browser sends it when the provider leads it back. */
const PENDING = 'refile_signing_in'
/** How long somebody may take to sign in at the provider. */
const PENDING_MS = 10 * 60_000

/** `/sign-in/start` leads to the provider of identities, which leads back to `/sign-in/return`. */
function providerRoutes(
  app: Routes,
  { administration, config, log, stores }: Services,
  identity: IdentityProvider,
): void {
  const anyone = forRole('anyone', app)
  const provider = identity.name
  const pendingCookie = (request: FastifyRequest, value: string, seconds: number) =>
    `${PENDING}=${value}; HttpOnly; SameSite=Lax; Path=/sign-in; Max-Age=${seconds}${isTls(request) ? '; Secure' : ''}`
  /** @throws if nothing was started in this browser, or too long ago */
  const pendingOf = ({ headers: { cookie = '' } }: FastifyRequest): Pending => {
    const sealed = cookie.split(/;\s*/).find(pair => pair.startsWith(`${PENDING}=`)) ?? ''
    const { until, ...pending } = stores.secrets.decrypt(decodeURIComponent(sealed.slice(PENDING.length + 1)))
    if (!(Number(until) > stores.accounts.now())) throw new Error('it was begun too long ago')
    return pending as unknown as Pending
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    // Its message may repeat what the provider sent, which is the person's.
    const { name = '', code } = error as { name?: string; code?: unknown }
    log.warn({ provider, error: name, code }, 'somebody could not sign in')
    const isUnknown = error instanceof AccountRefused
    return sendSignInPage(request, reply, {
      status: isUnknown ? 403 : 400,
      text: message(isUnknown ? 'signIn.noAccount' : 'signIn.failed', { provider }),
      button: toProvider(identity),
    })
  }

  anyone.get('/sign-in/start', { schema: { hide: true } }, async (request, reply) => {
    try {
      const { url, pending } = await identity.begin()
      const sealed = stores.secrets.encrypt({ ...pending, until: stores.accounts.now() + PENDING_MS })
      reply.header('set-cookie', pendingCookie(request, encodeURIComponent(sealed), PENDING_MS / 1000))
      return reply.redirect(url, 303)
    } catch (error) {
      return refuse(request, reply, error)
    }
  })

  anyone.get(
    '/sign-in/return',
    { exposeHeadRoute: false, schema: { hide: true } },
    async (request, reply) => {
      reply.header('set-cookie', pendingCookie(request, '', 0))
      let page: string
      try {
        const query = request.url.split('?')[1] ?? ''
        const person = await identity.finish(query, pendingOf(request))
        const session = await administration.identified(person, config.oidcNewAccounts)
        page = signedIn(request, reply, session)
      } catch (error) {
        return refuse(request, reply, error)
      }
      // Only from a page of this service, and not from the provider's, does the browser send the new session.
      const next = { text: message('signIn.continue'), href: page }
      return sendSignInPage(request, reply, { text: message('signIn.done'), button: next, next: page })
    },
  )
}
