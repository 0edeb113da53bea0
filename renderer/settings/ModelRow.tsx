import { Button } from '@mantine/core'
import type { SpeechModel } from '../../service/app/types.ts'
import { text, textIfAny } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { useAction } from '../ui/useAction.ts'
import classes from './Models.module.css'
import { useModels } from './models.ts'

interface Props {
  model: SpeechModel
  offline: boolean
}

export function ModelRow({ model, offline }: Props) {
  const { id, name, bytes, received, state } = model
  const { download, cancel, remove } = useModels.getState()
  const waits = state === 'absent' && received > 0
  const modes = model.recommended.map(mode => textIfAny(`models.modes.${mode}`) ?? mode).join(', ')
  const facts = [
    received > 0 && state !== 'installed'
      ? text('models.part', { received: size(received), bytes: size(bytes) })
      : size(bytes),
    model.englishOnly ? text('models.english') : text('models.multilingual'),
    text('models.licence', { licence: model.licence }),
    ...(modes ? [text('models.recommended', { modes })] : []),
  ]
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.words}>
        <p className={classes.name}>
          {name}
          {state === 'installed' && <span className={classes.badge}>{text('models.installed')}</span>}
        </p>
        <p className={`${classes.facts} numbers`}>{facts.join(' · ')}</p>
        {state === 'downloading' && (
          <ProgressLine label={text('models.progress', { name })} percent={(received / bytes) * 100} />
        )}
        {model.problem && <p className={classes.problem}>{model.problem}</p>}
      </div>
      {state === 'absent' && !offline && (
        <Act
          verb={waits ? text('models.resume') : text('models.download')}
          name={name}
          act={() => download(id)}
        />
      )}
      {state === 'downloading' && <Act verb={text('models.cancel')} name={name} act={() => cancel(id)} />}
      {state !== 'downloading' && model.removable && (
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
