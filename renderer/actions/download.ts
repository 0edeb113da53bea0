import { IconDownload } from '@tabler/icons-react'
import { desktop } from '../api/desktop.ts'
import { saveAll } from '../jobs/save.ts'
import { text } from '../messages/text.ts'
import type { Action, Subject } from './action.ts'

/** A browser cannot open a folder, so everything can be downloaded there, saved or not. */
const resultsOf = ({ ending: { kept, saved } }: Subject) =>
  [...kept, ...(desktop().reveal ? [] : saved.filter(({ isKept }) => isKept))].map(({ job }) => job)

export const download: Action = {
  name: on => text(resultsOf(on).length > 1 ? 'convert.downloadAll' : 'common.download'),
  nameFor: name => text('convert.download', { name }),
  Icon: IconDownload,
  when: on => resultsOf(on).length > 0,
  do: on => saveAll(resultsOf(on)),
}
