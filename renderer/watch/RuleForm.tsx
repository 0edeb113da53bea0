import { Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WatchRule } from '../../service/web/app/types.ts'
import type { Catalogue } from '../api/contract.ts'
import { sentValues } from '../forms/schema.ts'
import { text } from '../messages/text.ts'
import { pairOf, useSchemas } from '../options/schemas.ts'
import { useSession } from '../session/session.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { ConversionFields } from './ConversionFields.tsx'
import { type Chosen, patternOf, sourcesOf } from './conversion.ts'
import { FolderField } from './FolderField.tsx'
import { type Originals, OriginalsField } from './OriginalsField.tsx'
import { useWatch } from './store.ts'

interface Props {
  /** The rule that is changed; without one, a new one is made. */
  rule?: WatchRule | undefined
  onClose: () => void
}

/** What a rule makes of its files. Their format is known from their pattern, unless that was typed. */
function chosenBy(rule: WatchRule | undefined, catalogue: Catalogue | null): Chosen {
  const { target = null, options = {}, pattern = '*' } = rule ?? {}
  const source = sourcesOf(catalogue).find(each => patternOf(catalogue, each) === pattern) ?? null
  return { source, target, options, preset: null }
}

export function RuleForm({ rule, onClose }: Props) {
  const catalogue = useSession(state => state.catalogue)
  const [folder, setFolder] = useState(rule?.folder ?? '')
  const [chosen, setChosen] = useState(() => chosenBy(rule, catalogue))
  /** Null as long as it is that of the kind of files. */
  const [typed, setTyped] = useState<string | null>(rule && chosen.source === null ? rule.pattern : null)
  const [out, setOut] = useState(rule?.out ?? '')
  const [originals, setOriginals] = useState<Originals>(rule?.moveTo ? 'move' : (rule?.original ?? 'keep'))
  const [moveTo, setMoveTo] = useState(rule?.moveTo ?? '')
  const [recursive, setRecursive] = useState(rule?.recursive ?? false)
  const { target, options } = chosen
  const schema = useSchemas(state => state.schemas[pairOf(chosen.source ?? '', target ?? '')])
  const pattern = typed ?? patternOf(catalogue, chosen.source)
  const isMissing = (path: string) => path.trim() === ''
  const isComplete =
    ![folder, out, ...(originals === 'move' ? [moveTo] : [])].some(isMissing) && target !== null

  const save = () =>
    useWatch.getState().put(rule, {
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

  return (
    <DialogForm
      submit={text(rule ? 'common.save' : 'watch.start')}
      isComplete={isComplete}
      onSubmit={save}
      onDone={onClose}
    >
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
            {rule && <p className="fine">{text('watch.changeHint')}</p>}
          </>
        )
      }}
    </DialogForm>
  )
}
