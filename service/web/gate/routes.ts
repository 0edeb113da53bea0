import type { Gate } from '../../shared/settings/values.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { gotenbergRoutes } from './gotenberg/routes.ts'
import { openAiRoutes } from './openai/routes.ts'
import { tikaRoutes } from './tika/routes.ts'

const gates: Record<Gate, { prefix: string; add: (app: Routes, services: Services) => void }> = {
  gotenberg: { prefix: '/gotenberg', add: gotenbergRoutes },
  tika: { prefix: '/tika', add: tikaRoutes },
  openai: { prefix: '/v1', add: openAiRoutes },
}

/** Where their routes begin. */
export const gatePrefixes: readonly string[] = Object.values(gates).map(({ prefix }) => prefix)

/** The routes of the services whose protocols the owner wants spoken. */
export async function gateRoutes(app: Routes, services: Services): Promise<void> {
  for (const gate of services.config.gates) {
    const { prefix, add } = gates[gate]
    await app.register(async scope => add(scope, services), { prefix })
  }
}
