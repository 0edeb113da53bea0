import { randomUUID } from 'node:crypto'
// @ts-expect-error: it has no types
import Provider from 'oidc-provider'
import { startHttps } from './https.ts'
import { CLIENT } from './identity.ts'

/**
 * A provider of identities that others wrote and certified (https://github.com/panva/node-oidc-provider), with its pages for development, which
 * let anybody in under the name that they type. Like most, it has the address of a person in its answer to `userinfo` only.
 * @param returnUrl where a service lets people come back to
 */
export async function startOidcProvider(
  returnUrl: string,
): Promise<AsyncDisposable & { issuer: string; ca: string }> {
  const server = await startHttps((request, reply) => void answer(request, reply))
  const issuer = `https://localhost:${server.port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [returnUrl] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: [randomUUID()] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true }),
    }),
  })
  const answer = provider.callback()
  return { issuer, ca: server.ca, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
