import { ActionButton } from '../../actions/ActionButton.tsx'
import { possible, type Subject } from '../../actions/action.ts'
import { cancelAll } from '../../actions/cancel-all.ts'
import { clearFinished } from '../../actions/clear-finished.ts'
import { download } from '../../actions/download.ts'
import { openResult } from '../../actions/open-result.ts'
import { pause } from '../../actions/pause.tsx'
import { retry } from '../../actions/retry.ts'
import { showInFolder } from '../../actions/show-in-folder.ts'
import { text } from '../../messages/text.ts'

/** Controls all open batches. */
export const OpenActions = ({ on }: { on: Subject }) => (
  <>
    <ActionButton action={cancelAll} on={on} variant="subtle" color="gray">
      {text('convert.cancelAll')}
    </ActionButton>
    <ActionButton action={pause} on={on} />
  </>
)

/** Actions for everything that is finished. */
export function EndActions({ on }: { on: Subject }) {
  const { isOver, ending } = on
  // While more is to be converted, only what is not offered elsewhere.
  const many = ending.kept.length > 1 ? [download] : []
  const offered = possible([retry, ...(isOver ? [openResult, showInFolder, download] : many)], on)
  return (
    <>
      <ActionButton action={clearFinished} on={on} variant="subtle" color="gray" />
      {offered.map((action, index) => (
        <ActionButton
          key={action.name(on)}
          action={action}
          on={on}
          // What somebody came for is what is pressed first.
          variant={isOver && index === offered.length - 1 ? 'filled' : 'default'}
        />
      ))}
    </>
  )
}
