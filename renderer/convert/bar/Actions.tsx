import { Button } from '@mantine/core'
import {
  IconDownload,
  IconExternalLink,
  IconFolderSearch,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import type { Batch } from '../../../service/web/app/types.ts'
import { desktop } from '../../api/desktop.ts'
import { isOpen } from '../../jobs/known.ts'
import { saveAll } from '../../jobs/save.ts'
import { useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import { shortcutProps } from '../../ui/shortcuts.ts'
import { useAction } from '../../ui/useAction.ts'
import { clearFinished, retryRows } from '../state/actions.ts'
import { useJoining } from '../state/join/joining.ts'
import type { Line } from '../state/rows/layout.ts'
import type { Ending } from '../state/submit/ending.ts'

const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const

/** Controls all open batches. */
export function OpenActions({ batches, paused }: { batches: readonly Batch[]; paused: boolean }) {
  const { busy, act } = useAction()
  const { pause, resume, cancelBatch } = useJobs.getState()
  const open = batches.filter(isOpen)
  const all = (action: (id: string) => Promise<void>) =>
    void act(() => Promise.all(open.map(({ id }) => action(id))))
  const cancelAll = () => {
    useJoining.getState().stop()
    all(cancelBatch)
  }
  return (
    <>
      <Button size="sm" variant="subtle" color="gray" disabled={busy} onClick={cancelAll}>
        {text('convert.cancelAll')}
      </Button>
      <Button
        size="sm"
        variant="default"
        disabled={busy || open.length === 0}
        leftSection={paused ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
        {...shortcutProps('pause')}
        onClick={() => all(paused ? resume : pause)}
      >
        {text(paused ? 'convert.resume' : 'convert.pause')}
      </Button>
    </>
  )
}

interface EndProps {
  lines: readonly Line[]
  ending: Ending
  /** Whether nothing is left to be converted. */
  isOver: boolean
}

/** Actions for everything that is finished. */
export function EndActions({ lines, ending, isOver }: EndProps) {
  const { failed, kept, saved, any } = ending
  const { reveal, openOutput } = desktop()
  const [first] = saved
  const only = saved.length === 1 ? first : undefined
  // A browser cannot open a folder, so everything can be downloaded, saved or not.
  const results = reveal ? kept : [...kept, ...saved.filter(({ isKept }) => isKept)]
  const run = (action: Promise<unknown>) => void action.catch(notifyProblem)
  return (
    <>
      {any && !isOver && (
        <Button size="sm" variant="subtle" color="gray" onClick={() => clearFinished(lines)}>
          {text('convert.clearFinished')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          onClick={() => void retryRows(failed)}
        >
          {text('convert.retryFailed')}
        </Button>
      )}
      {isOver && only && openOutput && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconExternalLink {...icon} />}
          onClick={() => run(openOutput(only.job.id))}
        >
          {text('convert.openResult')}
        </Button>
      )}
      {isOver && first && reveal && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconFolderSearch {...icon} />}
          onClick={() => run(reveal(first.path))}
        >
          {text('convert.showFolder')}
        </Button>
      )}
      {results.length > (isOver ? 0 : 1) && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconDownload {...icon} />}
          onClick={() => run(saveAll(results.map(({ job }) => job)))}
        >
          {text(results.length > 1 ? 'convert.downloadAll' : 'convert.downloadOne')}
        </Button>
      )}
    </>
  )
}
