import { input } from './input.ts'
import { jobs } from './jobs.ts'
import { models } from './models.ts'
import { requests } from './requests.ts'
import { stored } from './stored.ts'
import { urls } from './urls.ts'
import { validation } from './validation.ts'
import { workers } from './workers.ts'

/**
 * Every sentence of the service in English, in ICU MessageFormat: https://unicode-org.github.io/icu/userguide/format_parse/messages/
 * Each says what happened, why, and what to do, in at most 256 characters and without a path of the machine.
 */
export const catalogue = {
  ...input,
  ...jobs,
  ...models,
  ...requests,
  ...stored,
  ...urls,
  ...validation,
  ...workers,
} as const
