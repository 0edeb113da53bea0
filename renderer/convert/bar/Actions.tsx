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
  const ends = [
    {
      ...{ isOffered: failed.length > 0, label: text('convert.retryFailed'), Icon: IconRefresh },
      act: () => retryRows(failed),
    },
    {
      ...{ isOffered: isOver && only && openOutput, Icon: IconExternalLink },
      label: text('convert.openResult'),
      act: async () => only && openOutput?.(only.job.id),
    },
    {
      ...{ isOffered: isOver && first && reveal, label: text('convert.showFolder'), Icon: IconFolderSearch },
      act: async () => first && reveal?.(first.path),
    },
    {
      ...{ isOffered: results.length > (isOver ? 0 : 1), Icon: IconDownload },
      label: text(results.length > 1 ? 'convert.downloadAll' : 'convert.downloadOne'),
      act: () => saveAll(results.map(({ job }) => job)),
    },
  ]
  const offered = ends.filter(({ isOffered }) => isOffered)
  return (
    <>
      {any && (
        <Button size="sm" variant="subtle" color="gray" onClick={() => clearFinished(lines)}>
          {text(isOver ? 'convert.convertMore' : 'convert.clearFinished')}
        </Button>
      )}
      {offered.map(({ label, Icon, act }, index) => (
        <Button
          key={label}
          size="sm"
          // What somebody came for is what is pressed first.
          variant={isOver && index === offered.length - 1 ? 'filled' : 'default'}
          leftSection={<Icon {...icon} />}
          onClick={() => void act().catch(notifyProblem)}
        >
          {label}
        </Button>
      ))}
    </>
  )
}
