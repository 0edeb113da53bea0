import { Button } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { Notice } from '../notifications/Notice.tsx'

/** Says that something could not be loaded, with a button to retry. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="danger"
      title={text('errors.loadFailed')}
      actions={
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {text('common.tryAgain')}
        </Button>
      }
    />
  )
}
