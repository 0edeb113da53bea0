import { Button, Select, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import dialog from '../ui/Dialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { notifyProblem } from '../ui/notify.ts'
import { useAction } from '../ui/useAction.ts'
import { FolderField } from './FolderField.tsx'
import { useWatch } from './store.ts'

interface Props {
  opened: boolean
  onClose: () => void
}

export function NewRuleDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text('watch.add')}>
      <NewRuleForm onClose={onClose} />
    </Dialog>
  )
}

/** Everything that files can become. */
function useTargets(): readonly string[] {
  const [targets, setTargets] = useState<readonly string[]>([])
  useEffect(() => {
    api.catalogue().then(({ conversions }) => {
      setTargets([...new Set(conversions.flatMap(({ outputFormats }) => outputFormats))].toSorted())
    }, notifyProblem)
  }, [])
  return targets
}

function NewRuleForm({ onClose }: Pick<Props, 'onClose'>) {
  const targets = useTargets()
  const [folder, setFolder] = useState('')
  const [out, setOut] = useState('')
  const [moveTo, setMoveTo] = useState('')
  const [pattern, setPattern] = useState('*')
  const [target, setTarget] = useState<string | null>(null)
  const [recursive, setRecursive] = useState(false)
  const [tried, setTried] = useState(false)
  const { busy, act } = useAction()
  const missing = (value: string) => (tried && value.trim() === '' ? text('watch.required') : null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!folder.trim() || !out.trim() || target === null) return
    await act(async () => {
      await useWatch.getState().add({
        folder: folder.trim(),
        out: out.trim(),
        moveTo: moveTo.trim() || null,
        pattern: pattern.trim() || '*',
        target,
        recursive,
      })
      onClose()
    })
  }

  return (
    <form className={dialog.form} onSubmit={submit} noValidate>
      <FolderField label={text('watch.folder')} value={folder} onChange={setFolder} error={missing(folder)} />
      <Select
        label={text('watch.target')}
        searchable
        data={targets.map(value => ({ value, label: value.toUpperCase() }))}
        value={target}
        onChange={setTarget}
        error={tried && target === null ? text('watch.targetRequired') : null}
      />
      <FolderField
        label={text('watch.out')}
        hint={text('watch.outHint')}
        value={out}
        onChange={setOut}
        error={missing(out)}
      />
      <TextInput
        label={text('watch.pattern')}
        description={text('watch.patternHint')}
        value={pattern}
        spellCheck={false}
        onChange={event => setPattern(event.currentTarget.value)}
      />
      <FolderField
        label={text('watch.moveTo')}
        hint={text('watch.moveToHint')}
        value={moveTo}
        onChange={setMoveTo}
      />
      <Switch
        label={text('watch.recursive')}
        checked={recursive}
        onChange={event => setRecursive(event.currentTarget.checked)}
      />
      <Button type="submit" fullWidth loading={busy}>
        {text('watch.start')}
      </Button>
    </form>
  )
}
