import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createOutbound, type Outbound } from '../../service/shared/net/outbound.ts'
import { startHttps } from './https.ts'

/** What a test changes in the identity of the person who signs in. */
export interface Identity {
  claims?: Record<string, unknown>
  /** Whether another key signs the token. */
  isForged?: boolean
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const own = newKey()
const others = newKey()
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token by RS256 (RFC 7515). */
function token(claims: object, { privateKey }: typeof own): string {
  const content = `${part({ alg: 'RS256', typ: 'JWT', kid: 'own' })}.${part(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

export interface TestProvider extends AsyncDisposable {
  issuer: string
  /** Reaches it under its name. */
  outbound: Outbound
  /** The authority of its certificate, as PEM. */
  ca: string
  /** Sets the identity of whoever signs in next. */
  setIdentity(identity: Identity): void
  /** Lets the person of an authorization request in; returns the query with which the browser goes back. */
  authorize(url: string): string
}

/** How a service registers with it. */
export const CLIENT = { id: 'refile', secret: 'a secret: of two' }

/**
 * A provider of identities as OpenID Connect Core 1.0 describes it, with what this service needs of it: discovery, keys, and codes
 * with PKCE (RFC 7636), each good for one exchange. A browser that comes to it finds a page with two links: to go on, and to refuse.
 * @param host a name of the certificate: `localhost` is found by browsers and by other processes
 */
export async function startProvider(
  host: 'files.example' | 'localhost' = 'files.example',
): Promise<TestProvider> {
  let identity: Identity = {}
  const codes = new Map<string, { nonce: string; challenge: string; returnUrl: string }>()
  const answers: Record<string, (body: URLSearchParams, authorization: string) => object | undefined> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
    }),
    '/userinfo': () => ({ sub: 'person', department: 'Prints' }),
    '/token': (body, authorization) => {
      const code = codes.get(body.get('code') ?? '')
      codes.delete(body.get('code') ?? '')
      const verified = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url')
      const client = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
      // Both parts of Basic are encoded as in forms (RFC 6749, section 2.3.1).
      const [id, secret] = client.split(':').map(word => new URLSearchParams(`x=${word}`).get('x'))
      if (!code || code.challenge !== verified || code.returnUrl !== body.get('redirect_uri'))
        return undefined
      if (id !== CLIENT.id || secret !== CLIENT.secret) return undefined
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        ...{ iss: issuer, sub: 'person', aud: CLIENT.id, iat: now, exp: now + 300, nonce: code.nonce },
        ...{ email: 'ann@example.com', email_verified: true },
        ...identity.claims,
      }
      const idToken = token(claims, identity.isForged ? others : own)
      return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken }
    },
  }
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    if (request.url?.startsWith('/authorize?')) {
      const asked = new URL(request.url, issuer).searchParams
      const refusal = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '' })
      const link = (query: string, what: string) =>
        `<a href="${asked.get('redirect_uri')}?${query.replaceAll('&', '&amp;')}">${what}</a>`
      reply.writeHead(200, { 'content-type': 'text/html' })
      reply.end(
        `<!doctype html><title>Provider</title>${link(authorize(request.url), 'Go on')} ${link(`${refusal}`, 'Refuse')}`,
      )
      return
    }
    const body = new URLSearchParams(await text(request))
    const found = answers[request.url ?? '']?.(body, request.headers.authorization ?? '')
    reply.writeHead(found ? 200 : 400, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(found ?? { error: 'invalid_grant' }))
  }
  const authorize = (url: string): string => {
    const asked = new URL(url, issuer).searchParams
    const code = randomUUID()
    codes.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      returnUrl: asked.get('redirect_uri') ?? '',
    })
    return new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
  }
  const server = await startHttps((request, reply) => {
    answer(request, reply).catch(error => reply.destroy(error))
  })
  const issuer = `https://${host}:${server.port}`
  return {
    issuer,
    outbound: createOutbound({ offline: false, transport: server.transport }),
    ca: server.ca,
    setIdentity: next => {
      identity = next
    },
    authorize,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
