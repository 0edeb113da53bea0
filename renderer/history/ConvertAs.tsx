import { useState } from 'react'
import type { AppJob, TargetChoice } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { TargetPicker } from '../convert/bar/TargetPicker.tsx'
import { convertReopened } from '../convert/state/actions.ts'
import { offersOf } from '../convert/state/choose/choices.ts'
import { kindOfFile } from '../convert/state/rows/kinds.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { useAction } from '../ui/useAction.ts'

interface Props {
  row: AppJob
  busy: boolean
  act: ReturnType<typeof useAction>['act']
}

/** Converts the file of a row to another format: the choice of the format starts it. */
export function ConvertAs({ row: { id, inputName: name }, busy, act }: Props) {
  const [targets, setTargets] = useState<readonly TargetChoice[]>([])
  const prepare = async () => {
    // What a file can become is only known from the file, which may be gone.
    const found: TargetChoice[][] = []
    await act(async () => void found.push(await api.historyTargets(id)))
    setTargets(found[0] ?? [])
    return found.length > 0
  }
  return (
    <TargetPicker
      label={text('history.convertTo', { name })}
      caption={text('history.convertAs')}
      offers={() => offersOf([{ file: { targets }, kind: kindOfFile({ targets }) }])}
      files={1}
      chosen={null}
      prepare={prepare}
      disabled={busy}
      onChoose={choice =>
        void act(async () => {
          await convertReopened(await api.reopen(id), choice)
          goTo('convert')
        })
      }
    />
  )
}
