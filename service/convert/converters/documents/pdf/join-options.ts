/** Options of several files that become one PDF. */
import { flag, type OptionsOf } from '../../../catalogue/options.ts'
import { password, rebuild } from '../options.ts'

export const joinOptions = {
  bookmarks: flag('Bookmarks', { description: 'One for each file, with its own below.', default: true }),
  rebuild,
  password,
}

export type JoinOptions = OptionsOf<typeof joinOptions>
