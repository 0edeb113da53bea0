import { useState } from 'react'
import type { HistoryRow, Reopened } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { TargetPicker } from '../convert/bar/TargetPicker.tsx'
import { convertReopened } from '../convert/state/actions.ts'
import { offersOf } from '../convert/state/choices.ts'
import { kindOfFile } from '../convert/state/kinds.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { useAction } from '../ui/useAction.ts'

interface Props {
  row: HistoryRow
  busy: boolean
  act: ReturnType<typeof useAction>['act']
}

/** Converts the file of a row to another format: the choice of the format starts it. */
export function ConvertAs({ row: { id, inputName: name }, busy, act }: Props) {
  const [reopened, setReopened] = useState<Reopened | null>(null)
  const file = reopened?.file
  const prepare = async () => {
    // What a file can become is only known from the file, which may be gone.
    const found: Reopened[] = []
    await act(async () => void found.push(await api.reopen(id)))
    setReopened(found[0] ?? null)
    return found.length > 0
  }
  return (
    <TargetPicker
      label={text('history.convertTo', { name })}
      caption={text('history.convertAs')}
      offers={() => (file ? offersOf([{ file, kind: kindOfFile(file) }]) : [])}
      files={1}
      chosen={null}
      prepare={prepare}
      disabled={busy}
      onChoose={choice =>
        reopened &&
        void act(async () => {
          await convertReopened(reopened, choice)
          goTo('convert')
        })
      }
    />
  )
}
