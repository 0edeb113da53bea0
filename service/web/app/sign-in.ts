import { SESSION_LIFETIME_MS } from '../../accounts/sessions.ts'
import { message } from '../../shared/messages/message.ts'
import { newSessionCookie } from '../http/caller.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { sendSignInPage } from './sign-in-page.ts'

const querystring = object({ token: optional(string()) })

/**
 * `/sign-in?token=…`: the page asks for a click, so that programs that look at links before people do use none of them up; the
 * click exchanges the token for a session.
 */
export function signInRoutes(app: Routes, { sessions }: Services): void {
  app.get('/sign-in', { schema: { hide: true, querystring } }, async (request, reply) =>
    sendSignInPage(
      request,
      reply,
      request.query.token === undefined
        ? { text: message('signIn.ask') }
        : { text: message('signIn.once'), button: { text: message('signIn.button') } },
    ),
  )

  app.post('/sign-in', { schema: { hide: true, querystring } }, async (request, reply) => {
    const session = await sessions.redeem(request.query.token ?? '')
    if (session === undefined)
      return sendSignInPage(request, reply, { status: 410, text: message('signIn.over') })
    reply.header('set-cookie', newSessionCookie(request, session, SESSION_LIFETIME_MS / 1000))
    return reply.redirect('/', 303)
  })
}
