import { Button } from '@mantine/core'
import type { Downloadable } from '../../service/web/app/types.ts'
import { inLine, text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { useAction } from '../ui/useAction.ts'
import classes from './Models.module.css'

interface Props {
  item: Downloadable
  facts: readonly string[]
  offline: boolean
  actions: Record<'download' | 'cancel' | 'remove', (id: string) => Promise<void>>
}

export function ModelRow({ item, facts, offline, actions: { download, cancel, remove } }: Props) {
  const { id, name, bytes, received, state } = item
  const waits = state === 'absent' && received > 0
  const sizes =
    received > 0 && state !== 'installed'
      ? text('models.part', { received: size(received), bytes: size(bytes) })
      : size(bytes)
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.words}>
        <p className={classes.name}>
          {name}
          {state === 'installed' && <span className={classes.badge}>{text('models.installed')}</span>}
        </p>
        <p className="remark numbers">{inLine([sizes, ...facts])}</p>
        {state === 'downloading' && (
          <ProgressLine label={text('models.progress', { name })} percent={(received / bytes) * 100} />
        )}
        {item.problem && (
          <p className="remark" data-tone="attention">
            {item.problem}
          </p>
        )}
      </div>
      {state === 'absent' && !offline && (
        <Act
          verb={waits ? text('common.resume') : text('common.download')}
          name={name}
          act={() => download(id)}
        />
      )}
      {state === 'downloading' && <Act verb={text('models.cancel')} name={name} act={() => cancel(id)} />}
      {state !== 'downloading' && item.removable && (
        <Act verb={text('models.remove')} name={name} act={() => remove(id)} danger />
      )}
    </li>
  )
}

interface ActProps {
  verb: string
  name: string
  act: () => Promise<unknown>
  danger?: boolean
}

function Act({ verb, name, act, danger = false }: ActProps) {
  const { busy, act: run } = useAction()
  return (
    <Button
      size="xs"
      variant={danger ? 'subtle' : 'default'}
      {...(danger ? { color: 'brick' } : {})}
      loading={busy}
      aria-label={text('models.named', { verb, name })}
      onClick={() => void run(act)}
    >
      {verb}
    </Button>
  )
}
