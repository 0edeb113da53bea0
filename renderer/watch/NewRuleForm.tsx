import { Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sentValues } from '../forms/schema.ts'
import { text } from '../messages/text.ts'
import { pairOf, useSchemas } from '../options/schemas.ts'
import { useSession } from '../session/session.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { ConversionFields } from './ConversionFields.tsx'
import { type Chosen, patternOf } from './conversion.ts'
import { FolderField } from './FolderField.tsx'
import { type Originals, OriginalsField } from './OriginalsField.tsx'
import { useWatch } from './store.ts'

const nothing: Chosen = { source: null, target: null, options: {}, preset: null }

export function NewRuleForm({ onClose }: { onClose: () => void }) {
  const catalogue = useSession(state => state.catalogue)
  const [folder, setFolder] = useState('')
  const [chosen, setChosen] = useState(nothing)
  /** Null as long as it is that of the kind of files. */
  const [typed, setTyped] = useState<string | null>(null)
  const [out, setOut] = useState('')
  const [originals, setOriginals] = useState<Originals>('keep')
  const [moveTo, setMoveTo] = useState('')
  const [recursive, setRecursive] = useState(false)
  const { target, options } = chosen
  const schema = useSchemas(state => state.schemas[pairOf(chosen.source ?? '', target ?? '')])
  const pattern = typed ?? patternOf(catalogue, chosen.source)
  const isMissing = (path: string) => path.trim() === ''
  const isComplete =
    ![folder, out, ...(originals === 'move' ? [moveTo] : [])].some(isMissing) && target !== null

  const add = async () => {
    await useWatch.getState().add({
      folder: folder.trim(),
      out: out.trim(),
      pattern: pattern.trim() || '*',
      target: target ?? '',
      ...{
        options: typeof schema === 'object' ? sentValues(schema.properties, options) : options,
        recursive,
      },
      moveTo: originals === 'move' ? moveTo.trim() : null,
      original: originals === 'recycle' ? 'recycle' : 'keep',
    })
  }

  return (
    <DialogForm submit={text('watch.start')} isComplete={isComplete} onSubmit={add} onDone={onClose}>
      {tried => {
        const required = (path: string) => (tried && isMissing(path) ? text('watch.required') : null)
        return (
          <>
            <FolderField
              label={text('watch.folder')}
              value={folder}
              onChange={setFolder}
              error={required(folder)}
            />
            <ConversionFields
              value={chosen}
              onChange={setChosen}
              error={tried && target === null ? text('watch.targetRequired') : null}
            />
            <TextInput
              label={text('watch.pattern')}
              description={text('watch.patternHint')}
              value={pattern}
              spellCheck={false}
              onChange={event => setTyped(event.currentTarget.value)}
            />
            <Switch
              label={text('watch.recursive')}
              checked={recursive}
              onChange={event => setRecursive(event.currentTarget.checked)}
            />
            <FolderField
              label={text('watch.out')}
              hint={text('watch.outHint')}
              value={out}
              onChange={setOut}
              error={required(out)}
            />
            <OriginalsField
              value={originals}
              onChange={setOriginals}
              moveTo={moveTo}
              onMoveTo={setMoveTo}
              error={required(moveTo)}
            />
          </>
        )
      }}
    </DialogForm>
  )
}
