import type { Downloadable } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { Entry } from '../ui/list/Entry.tsx'
import { EntryAction } from '../ui/list/EntryAction.tsx'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { useAction } from '../ui/useAction.ts'

interface Props {
  item: Downloadable
  facts: readonly string[]
  offline: boolean
  actions: Record<'download' | 'cancel' | 'remove', (id: string) => Promise<void>>
}

export function ModelRow({ item, facts, offline, actions: { download, cancel, remove } }: Props) {
  const { id, name, bytes, received, state, problem, removable } = item
  const { busy, act } = useAction()
  const isPart = received > 0 && state !== 'installed'
  const sizes = isPart ? text('models.part', { received: size(received), bytes: size(bytes) }) : size(bytes)
  const action = (verb: string, run: (id: string) => Promise<void>, danger = false) => (
    <EntryAction
      {...{ label: verb, named: text('models.named', { verb, name }), danger, loading: busy }}
      onClick={() => void act(() => run(id))}
    />
  )
  return (
    <Entry
      name={name}
      badges={[state === 'installed' && text('models.installed')]}
      facts={[sizes, ...facts]}
      actions={
        <>
          {state === 'absent' &&
            !offline &&
            action(text(isPart ? 'common.resume' : 'common.download'), download)}
          {state === 'downloading' && action(text('models.cancel'), cancel)}
          {state !== 'downloading' && removable && action(text('models.remove'), remove, true)}
        </>
      }
    >
      {state === 'downloading' && (
        <ProgressLine label={text('models.progress', { name })} percent={(received / bytes) * 100} />
      )}
      {problem && (
        <p className="remark" data-tone="attention">
          {problem}
        </p>
      )}
    </Entry>
  )
}
