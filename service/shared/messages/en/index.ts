import { archives } from './archives.ts'
import { batches } from './batches.ts'
import { data } from './data.ts'
import { ebooks } from './ebooks.ts'
import { engines } from './engines.ts'
import { fonts } from './fonts.ts'
import { input } from './input.ts'
import { jobs } from './jobs.ts'
import { markup } from './markup.ts'
import { media } from './media.ts'
import { office } from './office.ts'
import { pdf } from './pdf.ts'
import { pictures } from './pictures.ts'
import { requests } from './requests.ts'
import { shell } from './shell.ts'
import { stored } from './stored.ts'
import { urls } from './urls.ts'
import { validation } from './validation.ts'
import { videos } from './videos.ts'
import { watch } from './watch.ts'
import { webhooks } from './webhooks.ts'
import { workers } from './workers.ts'

/**
 * All messages of the service in English, in ICU MessageFormat:
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/ Each says what happened, why, and what to do, in at most 256
 * characters and without a path of the machine.
 */
export const catalogue = {
  ...ebooks,
  ...data,
  ...archives,
  ...engines,
  ...fonts,
  ...batches,
  ...input,
  ...jobs,
  ...markup,
  ...office,
  ...pdf,
  ...pictures,
  ...media,
  ...requests,
  ...shell,
  ...stored,
  ...urls,
  ...validation,
  ...videos,
  ...watch,
  ...webhooks,
  ...workers,
} as const
