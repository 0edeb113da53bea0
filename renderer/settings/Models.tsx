import { Button, FileButton } from '@mantine/core'
import { useRef } from 'react'
import type { Downloadable } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import rows from '../ui/list/Entry.module.css'
import { LoadFailed } from '../ui/list/LoadFailed.tsx'
import { Notice } from '../ui/notifications/Notice.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { Panel } from '../ui/Panel.tsx'
import { useReading } from '../ui/reading.ts'
import { useAction } from '../ui/useAction.ts'
import { ModelRow } from './ModelRow.tsx'
import classes from './Models.module.css'
import type { ModelsStore } from './models.ts'

interface Props<Item extends Downloadable> {
  useStore: ModelsStore<Item>
  title: string
  note: string
  /** Name of the hidden file input, and the suffixes it accepts. */
  input: { label: string; accept: string }
  /** Facts about an item besides its name and size. */
  facts: (item: Item) => string[]
  /** Whether rows are side by side if there is room. */
  compact?: boolean
}

/** The downloadable items: listing, downloading and deleting them. Nothing is shown until they are loaded. */
export function Models<Item extends Downloadable>(props: Props<Item>) {
  const { useStore, title, note, input, facts, compact = false } = props
  const store = useStore()
  const { busy, act } = useAction()
  const reset = useRef<() => void>(null)
  const take = (file: File | null) => {
    if (!file) return
    // The same file can be chosen again.
    reset.current?.()
    void act(async () => notify(text('models.added', { name: (await store.add(file)).name })))
  }
  useReading(store)
  if (!store.value) return store.failed ? <LoadFailed onRetry={() => void store.load()} /> : null
  const { items, offline } = store.value
  return (
    <Panel
      title={title}
      note={note}
      actions={
        <FileButton
          accept={input.accept}
          inputProps={{ 'aria-label': input.label }}
          resetRef={reset}
          onChange={take}
        >
          {props => (
            <Button {...props} size="xs" variant="default" loading={busy}>
              {text('models.add')}
            </Button>
          )}
        </FileButton>
      }
    >
      {offline && <Notice tone="info">{text('models.offline')}</Notice>}
      <ul className={`${rows.list} ${compact ? classes.grid : ''}`} aria-label={title}>
        {items.map(item => (
          <ModelRow
            key={item.id}
            item={item}
            facts={facts(item)}
            offline={offline}
            actions={useStore.getState()}
          />
        ))}
      </ul>
    </Panel>
  )
}
