import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import type { useAction } from '../ui/useAction.ts'
import { outputUrl } from './save.ts'

interface Props {
  jobId: string
  fileName: string
  act: ReturnType<typeof useAction>['act']
}

/** Saves a result: the desktop shell asks for a location; a browser follows the link. */
export function SaveLink({ jobId, fileName, act }: Props) {
  const save = (event: MouseEvent) => {
    const { saveOutput } = desktop()
    if (!saveOutput) return
    event.preventDefault()
    void act(() => saveOutput({ jobId, fileName }))
  }
  return (
    <Button
      component="a"
      href={outputUrl(jobId)}
      download={fileName}
      onClick={save}
      size="xs"
      variant="light"
      leftSection={<IconDownload size={16} stroke={1.9} aria-hidden="true" />}
      aria-label={text('jobs.save', { name: fileName })}
    >
      {text('common.save')}
    </Button>
  )
}
