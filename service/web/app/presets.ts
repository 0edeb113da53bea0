import type { Preset as Known } from '../../accounts/presets/presets.ts'
import type { LastChoice as KnownChoice } from '../../store/interfaces/presets.ts'
import { forRole } from '../http/access.ts'
import { list, object, type Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { ChosenPair, type LastChoice, NewPreset, type Preset, PresetFile } from './types.ts'

/** How many choices can be saved at once; one click converts no more pairs. */
const CHOICES_LIMIT = 200

/** The built-in and the account's own presets, and the last choice for each pair. */
export function presetRoutes(app: Routes, { presets }: Services): void {
  const member = forRole('member', app)
  const shownList = async (accountId: string) => (await presets.list(accountId)).map(shown)

  member.get('/app/presets', async ({ caller }) => shownList(caller.accountId))

  member.post('/app/presets', { schema: { body: NewPreset } }, async ({ caller, body }, reply) => {
    await presets.add(caller.accountId, [body])
    return reply.code(201).send(await shownList(caller.accountId))
  })

  member.put(
    '/app/presets/:id',
    { schema: { params: ById, body: NewPreset } },
    async ({ caller, params, body }) => {
      await presets.change(caller.accountId, params.id, body)
      return shownList(caller.accountId)
    },
  )

  member.delete('/app/presets/:id', { schema: { params: ById } }, ({ caller, params }) =>
    presets.remove(caller.accountId, params.id),
  )

  member.post('/app/presets/:id/use', { schema: { params: ById } }, ({ caller, params }) =>
    presets.use(caller.accountId, params.id),
  )

  member.get('/app/presets/export', async ({ caller }, reply): Promise<PresetFile> => {
    reply.header('content-disposition', 'attachment; filename="refile-presets.json"')
    const own = (await presets.list(caller.accountId)).filter(({ builtIn }) => !builtIn)
    return { refile: 'presets', version: 1, presets: own.map(({ name, choices }) => ({ name, choices })) }
  })

  member.post('/app/presets/import', { schema: { body: PresetFile } }, async ({ caller, body }, reply) => {
    await presets.add(caller.accountId, body.presets)
    return reply.code(201).send(await shownList(caller.accountId))
  })

  member.get('/app/choices', async ({ caller }) =>
    (await presets.lastChoices(caller.accountId)).map(shownChoice),
  )

  member.put(
    '/app/choices',
    { schema: { body: object({ choices: list(ChosenPair, { maxItems: CHOICES_LIMIT }) }) } },
    ({ caller, body }) => presets.remember(caller.accountId, body.choices),
  )
}

const shown = ({ lastUsedAt, ...preset }: Known): Preset => ({
  ...preset,
  lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
})

const shownChoice = ({ usedAt, ...choice }: KnownChoice): LastChoice => ({
  ...choice,
  usedAt: new Date(usedAt).toISOString(),
})
