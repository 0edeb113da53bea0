import type { Configuration, CustomFetch } from 'openid-client'
import type { Outbound } from '../../shared/net/outbound.ts'
import type { Identity } from '../../store/interfaces/accounts.ts'

/** What a sign-in that has started must remember until the browser comes back. */
export interface Pending {
  state: string
  nonce: string
  verifier: string
}

/** The provider does not vouch for a name, in a word for the log. */
export class NotIdentified extends Error {}

export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  /** The claim whose value is the name of an account. */
  claim: string
  /** Where the provider sends the browser back to. */
  returnUrl: string
  outbound: Outbound
}

/** Largest answer of a provider. */
const ANSWER_BYTES = 2 ** 20
const SCOPE = 'openid email profile'
/** How far the clocks of the provider and of this host may differ. */
const CLOCK_TOLERANCE_SECONDS = 30

/**
 * A provider of identities by OpenID Connect: the authorization code flow with PKCE, state and nonce. The library that implements it is
 * loaded, and the provider asked about itself, when somebody first signs in.
 */
export class IdentityProvider {
  /** Its name for people: its host. */
  readonly name: string
  readonly #settings: ProviderSettings
  #configured: Promise<Configuration> | undefined

  constructor(settings: ProviderSettings) {
    this.#settings = settings
    this.name = new URL(settings.issuer).host
  }

  /** Where the browser goes to sign in, and what to remember until it comes back. */
  async begin(): Promise<{ url: string; pending: Pending }> {
    const client = await import('openid-client')
    const configured = await this.#configuration()
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(configured, {
      redirect_uri: this.#settings.returnUrl,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, pending }
  }

  /**
   * Whom the provider vouches for.
   * @param query of the address at which the browser came back
   * @throws NotIdentified, or an error of openid-client, if it does not
   */
  async finish(query: string, { state, nonce, verifier }: Pending): Promise<Identity> {
    const client = await import('openid-client')
    const configured = await this.#configuration()
    const tokens = await client.authorizationCodeGrant(
      configured,
      new URL(`${this.#settings.returnUrl}?${query}`),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    )
    const idToken = tokens.claims()
    if (!idToken) throw new NotIdentified('no ID token')
    const { claim } = this.#settings
    // Some providers have such claims only in their answer about the user.
    const claims =
      idToken[claim] === undefined
        ? await client.fetchUserInfo(configured, tokens.access_token, idToken.sub)
        : idToken
    const name = claims[claim]
    if (typeof name !== 'string' || name.trim() === '') throw new NotIdentified(`no claim ${claim}`)
    // Otherwise whoever types another's address at the provider would be let into their account.
    if (claim === 'email' && claims.email_verified !== true)
      throw new NotIdentified('email_verified is not true')
    return { issuer: idToken.iss, subject: idToken.sub, name }
  }

  /** Asked again after a failure. */
  #configuration(): Promise<Configuration> {
    this.#configured ??= this.#discover().catch(error => {
      this.#configured = undefined
      throw error
    })
    return this.#configured
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret, outbound } = this.#settings
    const configured = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
      { [client.customFetch]: fetchBy(outbound) },
    )
    // TLS alone says where an ID token comes from, and its signature says it, too.
    client.enableNonRepudiationChecks(configured)
    return configured
  }
}

/** The one outbound client in the shape of `fetch`. */
const fetchBy =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    await using answer = await outbound(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body == null ? {} : { body: String(body) }),
      maxBytes: ANSWER_BYTES,
      maxRedirects: 0,
      signal,
    })
    const content = Buffer.concat(await Array.fromAsync(answer.body))
    return new Response(content, { status: answer.status, headers: answer.headers })
  }
