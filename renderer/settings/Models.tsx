import { Button } from '@mantine/core'
import { type ChangeEvent, useRef, useState } from 'react'
import type { Downloadable } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { LoadFailed } from '../ui/list/LoadFailed.tsx'
import { Notice } from '../ui/notifications/Notice.tsx'
import { notify, notifyProblem } from '../ui/notifications/notify.ts'
import { Panel } from '../ui/Panel.tsx'
import { useReading } from '../ui/reading.ts'
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
  /** Whether rows are placed side by side if there is room. */
  compact?: boolean
}

/** The downloadable items: listing, downloading and deleting them. Nothing is shown until they are loaded. */
export function Models<Item extends Downloadable>(props: Props<Item>) {
  const { useStore, title, note, input, facts, compact = false } = props
  const store = useStore()
  const { items, offline, add } = store
  const picker = useRef<HTMLInputElement>(null)
  const [adding, setAdding] = useState(false)
  useReading(store)
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0]
    event.currentTarget.value = ''
    if (!file) return
    setAdding(true)
    add(file)
      .then(({ name }) => notify(text('models.added', { name })))
      .catch(notifyProblem)
      .finally(() => setAdding(false))
  }
  if (!items) return store.failed ? <LoadFailed onRetry={() => void store.load()} /> : null
  return (
    <Panel
      title={title}
      note={note}
      actions={
        <Button size="xs" variant="default" loading={adding} onClick={() => picker.current?.click()}>
          {text('models.add')}
        </Button>
      }
    >
      <input
        ref={picker}
        className="hidden-text"
        type="file"
        accept={input.accept}
        tabIndex={-1}
        aria-label={input.label}
        onChange={take}
      />
      {offline && <Notice tone="info">{text('models.offline')}</Notice>}
      <ul className={compact ? classes.grid : classes.list} aria-label={title}>
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
