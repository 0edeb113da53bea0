import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AccountRefused } from '../../accounts/administration.ts'
import { digest } from '../../accounts/keys.ts'
import { RequestError } from '../../shared/errors.ts'
import type { Services } from '../services.ts'
import { isTls } from './caller.ts'
import { integer, object, optional, type Routes, type Static, string } from './schema.ts'
import { ById } from './shapes.ts'
import { signInUrl } from './sign-in-url.ts'

const limit = () => optional(integer({ minimum: 1, maximum: 1_000_000 }))
const credits = () => optional(integer({ minimum: 0, maximum: 1_000_000_000 }))

/** What may be changed of an account: what is left out stays, and credits are added. */
export type AccountChange = Static<typeof AccountChange>
export const AccountChange = object({ running: limit(), open: limit(), credits: credits() })

export type NewAccount = Static<typeof NewAccount>
export const NewAccount = object({
  name: string({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  running: limit(),
  open: limit(),
  credits: credits(),
})

/** What a body asks for; limits that it leaves out stay. */
const changeOf = ({ running, open, credits }: AccountChange) => ({
  limits: { ...(running === undefined ? {} : { running }), ...(open === undefined ? {} : { open }) },
  credits,
})

/** Lists and changes all accounts; the caller has to be checked before. */
export function accountRoutes(app: Routes, { administration, config, stores }: Services, path: string): void {
  const hide = { hide: true } as const
  app.get(path, { schema: hide }, () => administration.list())
  app.post(path, { schema: { ...hide, body: NewAccount } }, async ({ body }, reply) => {
    const { account, key } = await answered(administration.create(body.name, changeOf(body)))
    reply.code(201)
    return { ...account, key }
  })
  app.patch(
    `${path}/:id`,
    { schema: { ...hide, params: ById, body: AccountChange } },
    async ({ params, body }) => {
      const account = await answered(administration.change(params.id, changeOf(body)))
      // Work that waits for credits can continue now.
      if (body.credits) stores.events.publish({ type: 'balance', accountId: account.id })
      return account
    },
  )
  app.post(`${path}/:id/sign-in`, { schema: { ...hide, params: ById } }, async (request, reply) => {
    const { token, expires } = await answered(administration.signIn(request.params.id))
    reply.code(201)
    return { url: signInUrl(config.publicUrl ?? ownAddress(request), token), expires }
  })
  app.delete(`${path}/:id`, { schema: { ...hide, params: ById } }, ({ params }) =>
    answered(administration.close(params.id)),
  )
}

/** The address at which the service was asked, by the Host header, which has been checked: what a proxy passes on may be anybody's. */
const ownAddress = (request: FastifyRequest) =>
  `${isTls(request) ? 'https' : 'http'}://${request.headers.host}`

/** Refusals in the contract's shape. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AccountRefused)) throw error
    throw new RequestError(error.reason === 'unknown' ? 'request.not_found' : 'request.invalid_parameter')
  }
}

/** Whether a request has the key of the setting REFILE_ADMIN_KEY, which is the key of no account. */
export function isOperator({ headers }: FastifyRequest, { config }: Services): boolean {
  const key = headers['x-service-api-key']
  return (
    config.adminKey !== null &&
    typeof key === 'string' &&
    timingSafeEqual(digest(key), digest(config.adminKey))
  )
}
