import { isPossible } from '../convert/state/choose/plan.ts'
import { loadSettings } from '../convert/state/choose/settings.ts'
import { planNow } from '../convert/state/choose/usePlan.ts'
import { convertAll } from '../convert/state/submit/converting.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { Action } from './action.ts'

/** Converts everything that is ready, like the button of the main screen. */
export const convert: Action = {
  name: () => text('convert.convertButton', { value: planNow().files }),
  shortcut: { keys: 'Mod+Enter', label: 'shortcuts.convert' },
  when: () => planNow().files > 0 && isPossible(planNow()),
  async do() {
    goTo('convert')
    await loadSettings()
    const plan = planNow()
    if (isPossible(plan)) await convertAll(plan)
  },
}
