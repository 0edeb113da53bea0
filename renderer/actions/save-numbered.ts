import { IconDeviceFloppy } from '@tabler/icons-react'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import type { Action, Subject } from './action.ts'

/** Results that were not saved, since their name was taken. */
const takenOf = ({ rows }: Subject) =>
  rows.flatMap(({ item, needsReconversion }) => {
    if (needsReconversion || item?.state !== 'succeeded' || item.error?.code !== 'destination.taken')
      return []
    return item.id === null ? [] : { batchId: item.batchId, id: item.id }
  })

export const saveNumbered: Action = {
  name: () => text('convert.saveWithNumber'),
  nameFor: name => text('convert.saveNumbered', { name }),
  Icon: IconDeviceFloppy,
  when: on => takenOf(on).length > 0,
  do: on => Promise.all(takenOf(on).map(({ batchId, id }) => api.saveItem(batchId, id))),
}
