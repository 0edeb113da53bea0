import { IconFiles } from '@tabler/icons-react'
import { joinText, useJoin } from '../convert/state/join/join.ts'
import { type Joinable, joinableOf } from '../convert/state/join/joinable.ts'
import { useTable } from '../convert/state/store.ts'
import { type Action, keysOf, type Subject } from './action.ts'

const known = new WeakMap<Subject, Joinable>()

/** Found once for a subject, since it takes a moment for thousands of files. */
function joinable(on: Subject): Joinable {
  const found = known.get(on) ?? joinableOf(on.lines, useTable.getState().rows, new Set(keysOf(on)))
  known.set(on, found)
  return found
}

/** Makes one file of several, once their order was asked for. */
export const join: Action = {
  name: on => joinText(joinable(on).into),
  Icon: IconFiles,
  when: on => joinable(on).keys.length > 1,
  do: on => useJoin.getState().ask(joinable(on)),
}
