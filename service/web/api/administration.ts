import { accountRoutes } from '../http/administration.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** All accounts, for whoever has the key of the setting REFILE_ADMIN_KEY. */
export const administrationRoutes = (app: Routes, services: Services): void =>
  accountRoutes(app, services, '/admin/accounts')
