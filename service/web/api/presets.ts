import { forRole } from '../http/access.ts'
import { list, type Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { PresetResponse } from './shapes.ts'

/** `GET /convert/presets`: the presets of the caller, which programs convert by as the app does. */
export function presetRoutes(app: Routes, { presets }: Services): void {
  const account = forRole('account', app)
  account.get(
    '/convert/presets',
    {
      schema: {
        summary: 'Presets of the account',
        description:
          'The built-in presets and those that the account has saved in the app: for each source format a target and options, to be sent with `POST /convert`.',
        operationId: 'listPresets',
        response: { 200: list(PresetResponse) },
      },
    },
    ({ caller }) => presets.list(caller.accountId),
  )
}
