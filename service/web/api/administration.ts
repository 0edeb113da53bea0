import { createHash, timingSafeEqual } from 'node:crypto'
import { AccountRefused } from '../../accounts/administration.ts'
import { RequestError } from '../../shared/errors.ts'
import { integer, object, optional, type Routes, string } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'

const limit = () => optional(integer({ minimum: 1, maximum: 1_000_000 }))
const credits = () => optional(integer({ minimum: 0, maximum: 1_000_000_000 }))
const AccountChange = object({ running: limit(), open: limit(), credits: credits() })
const NewAccount = object({
  name: string({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  running: limit(),
  open: limit(),
  credits: credits(),
})

/** What a body asks for; limits that it leaves out stay. */
const changeOf = ({ running, open, credits }: { running?: number; open?: number; credits?: number }) => ({
  limits: { ...(running === undefined ? {} : { running }), ...(open === undefined ? {} : { open }) },
  credits,
})

/** All accounts, for whoever has the key of the setting REFILE_ADMIN_KEY, which is the key of no account. */
export function administrationRoutes(
  app: Routes,
  { keys, administration }: Services,
  adminKey: string,
): void {
  const hide = { hide: true } as const
  app.addHook('onRequest', async request => {
    const key = request.headers['x-service-api-key']
    if (typeof key === 'string' && isSame(key, adminKey)) return
    if (key !== undefined) await keys.wrong.turn(request.ip)
    throw new RequestError('api_key.invalid_or_ip_not_allowed')
  })
  app.get('/admin/accounts', { schema: hide }, () => administration.list())
  app.post('/admin/accounts', { schema: { ...hide, body: NewAccount } }, async ({ body }, reply) => {
    const { account, key } = await answered(administration.create(body.name, changeOf(body)))
    reply.code(201)
    return { ...account, key }
  })
  app.patch(
    '/admin/accounts/:id',
    { schema: { ...hide, params: ById, body: AccountChange } },
    ({ params, body }) => answered(administration.change(params.id, changeOf(body))),
  )
  app.delete('/admin/accounts/:id', { schema: { ...hide, params: ById } }, ({ params }) =>
    answered(administration.close(params.id)),
  )
}

const hashed = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string) => timingSafeEqual(hashed(one), hashed(other))

/** Refusals in the contract's shape. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AccountRefused)) throw error
    throw new RequestError(error.reason === 'unknown' ? 'request.not_found' : 'request.invalid_parameter')
  }
}
