import { archives } from './archives.ts'
import { batches } from './batches.ts'
import { books } from './books.ts'
import { data } from './data.ts'
import { ebooks } from './ebooks.ts'
import { engines } from './engines.ts'
import { fonts } from './fonts.ts'
import { heic } from './heic.ts'
import { input } from './input.ts'
import { iso } from './iso.ts'
import { jobs } from './jobs.ts'
import { kindle } from './kindle.ts'
import { layout } from './layout.ts'
import { lottie } from './lottie.ts'
import { markup } from './markup.ts'
import { mobi } from './mobi.ts'
import { models } from './models.ts'
import { ocr } from './ocr.ts'
import { office } from './office.ts'
import { pdf } from './pdf.ts'
import { pict } from './pict.ts'
import { pictures } from './pictures.ts'
import { presets } from './presets.ts'
import { preview } from './preview.ts'
import { psd } from './psd.ts'
import { recordings } from './recordings.ts'
import { requests } from './requests.ts'
import { same } from './same.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { sources } from './sources.ts'
import { speech } from './speech.ts'
import { statements } from './statements.ts'
import { stored } from './stored.ts'
import { subtitles } from './subtitles.ts'
import { svg } from './svg.ts'
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
  ...heic,
  ...batches,
  ...books,
  ...input,
  ...iso,
  ...jobs,
  ...kindle,
  ...layout,
  ...lottie,
  ...markup,
  ...mobi,
  ...models,
  ...ocr,
  ...office,
  ...pdf,
  ...pict,
  ...pictures,
  ...presets,
  ...preview,
  ...psd,
  ...recordings,
  ...requests,
  ...same,
  ...speech,
  ...shell,
  ...signIn,
  ...sources,
  ...statements,
  ...stored,
  ...svg,
  ...urls,
  ...validation,
  ...subtitles,
  ...videos,
  ...watch,
  ...webhooks,
  ...workers,
} as const
