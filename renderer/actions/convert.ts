import { filesOf, isPossible } from '../convert/state/choose/plan.ts'
import { planNow } from '../convert/state/choose/usePlan.ts'
import { convertAll } from '../convert/state/submit/converting.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { Action } from './action.ts'

/** Converts everything that is ready, and what is still being read as soon as it has been. */
export const convert = {
  name: () => text('convert.convertButton', { value: filesOf(planNow()) }),
  shortcut: { keys: 'Mod+Enter', label: 'shortcuts.convert' },
  when: () => isPossible(planNow()),
  async do() {
    goTo('convert')
    await convertAll(planNow())
  },
} satisfies Action
