import { isPossible } from '../convert/state/choose/plan.ts'
import { planFor, planNow } from '../convert/state/choose/usePlan.ts'
import { convertAll } from '../convert/state/submit/converting.ts'
import { text } from '../messages/text.ts'
import type { Action, Subject } from './action.ts'

const filesOf = ({ rows }: Subject): number => planFor(rows).files

/** Converts some of the files that are ready, and leaves the others for later. */
export const convertThese: Action = {
  name: on => text('convert.convertSome', { some: filesOf(on), all: planNow().files }),
  when: on => isPossible(planFor(on.rows)) && filesOf(on) < planNow().files,
  do: ({ rows }) => convertAll(planFor(rows)),
}
