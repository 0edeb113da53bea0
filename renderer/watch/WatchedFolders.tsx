import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import type { WatchRule } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { EntryList } from '../ui/list/Entry.tsx'
import { CreateEntry } from '../ui/list/EntryAction.tsx'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { nameOf } from './name.ts'
import { RuleForm } from './RuleForm.tsx'
import { RuleRow } from './RuleRow.tsx'
import { useWatch } from './store.ts'

/** Files come without anybody's doing, so that the list is read again and again while it is shown. */
const REFRESH_MS = 3_000

/** Folders whose files are converted as they come: making, pausing and removing their rules. */
export function WatchedFolders() {
  const store = useWatch()
  /** The rule that is changed, or a new one. */
  const [asked, ask] = useState<WatchRule | 'new' | null>(null)
  const [removing, setRemoving] = useState<WatchRule | null>(null)
  useInterval(() => document.visibilityState === 'visible' && void store.load(), REFRESH_MS, {
    autoInvoke: true,
  })
  return (
    <Panel
      title={text('settings.watch')}
      note={text('watch.intro')}
      actions={<CreateEntry label={text('watch.add')} onClick={() => ask('new')} />}
    >
      <Loaded from={store}>
        {rules => (
          <EntryList label={text('watch.list')} empty={text('watch.empty')}>
            {rules.map(rule => (
              <RuleRow
                key={rule.id}
                rule={rule}
                onChange={() => ask(rule)}
                onRemove={() => setRemoving(rule)}
              />
            ))}
          </EntryList>
        )}
      </Loaded>
      <Dialog
        opened={asked !== null}
        onClose={() => ask(null)}
        title={asked === null || asked === 'new' ? text('watch.add') : nameOf(asked)}
        size="lg"
      >
        <RuleForm rule={asked === 'new' ? undefined : (asked ?? undefined)} onClose={() => ask(null)} />
      </Dialog>
      <ConfirmDialog
        name={removing ? nameOf(removing) : undefined}
        title={name => text('watch.removeTitle', { name })}
        explanation={text('watch.removeText')}
        confirm={text('common.remove')}
        onConfirm={() => removing && store.remove(removing.id)}
        done={name => text('watch.removed', { name })}
        onClose={() => setRemoving(null)}
      />
    </Panel>
  )
}
