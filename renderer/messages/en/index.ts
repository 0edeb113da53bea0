import { accounts } from './accounts.ts'
import { app } from './app.ts'
import { commands } from './commands.ts'
import { convert } from './convert.ts'
import { credits } from './credits.ts'
import { destination } from './destination.ts'
import { forms } from './forms.ts'
import { history } from './history.ts'
import { jobs } from './jobs.ts'
import { join } from './join.ts'
import { keys } from './keys.ts'
import { presets } from './presets.ts'
import { preview } from './preview.ts'
import { programs } from './programs.ts'
import { settings } from './settings.ts'
import { watch } from './watch.ts'

/** All texts of the page in English, as ICU messages: the language from which the others are translated. */
export const en = {
  ...accounts,
  ...app,
  ...commands,
  ...convert,
  ...credits,
  ...destination,
  ...forms,
  ...history,
  ...jobs,
  ...join,
  ...keys,
  ...presets,
  ...preview,
  ...programs,
  ...settings,
  ...watch,
} as const
