import { Button } from '@mantine/core'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { text } from '../messages/text.ts'
import { Notice } from '../ui/Notice.tsx'
import { tell, tellProblem } from '../ui/notify.ts'
import { Panel } from '../ui/Panel.tsx'
import { ModelRow } from './ModelRow.tsx'
import classes from './Models.module.css'
import { useModels } from './models.ts'

/** The speech models: which there are, and getting and deleting them. Nothing shows until they are known. */
export function Models() {
  const { items, offline, load, add } = useModels()
  const input = useRef<HTMLInputElement>(null)
  const [adding, setAdding] = useState(false)
  useEffect(() => void load().catch(tellProblem), [load])
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0]
    event.currentTarget.value = ''
    if (!file) return
    setAdding(true)
    add(file)
      .then(({ name }) => tell(text('models.added', { name })))
      .catch(tellProblem)
      .finally(() => setAdding(false))
  }
  if (!items) return null
  return (
    <Panel
      title={text('models.title')}
      note={text('models.note')}
      actions={
        <Button size="xs" variant="default" loading={adding} onClick={() => input.current?.click()}>
          {text('models.add')}
        </Button>
      }
    >
      <input
        ref={input}
        className="hidden-text"
        type="file"
        accept=".bin"
        tabIndex={-1}
        aria-label={text('models.addInput')}
        onChange={take}
      />
      {offline && <Notice tone="info">{text('models.offline')}</Notice>}
      <ul className={classes.list} aria-label={text('models.title')}>
        {items.map(model => (
          <ModelRow key={model.id} model={model} offline={offline} />
        ))}
      </ul>
    </Panel>
  )
}
