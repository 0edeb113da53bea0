import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type { DestinationCheck, SaveTo } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Segments } from '../ui/Segments.tsx'
import classes from './Panel.module.css'
import { canRecycle, type Kind, kindsHere } from './store.ts'

const words = [
  'name',
  'counter',
  'date',
  'time',
  'width',
  'height',
  'preset',
  'source',
  'target',
  'ext',
] as const

interface Props {
  value: SaveTo
  onChange: (value: SaveTo) => void
  check: DestinationCheck
  /** Asks for the folder. */
  onChooseFolder: () => void
}

/** All settings of the destination: where, under which names, and which properties of the originals are kept. */
export function Panel({ value, onChange, check, onChooseFolder }: Props) {
  const set = (change: Partial<SaveTo>) => onChange({ ...value, ...change })

  const choose = (kind: Kind) => {
    if (kind === 'folder' && value.folder === null) onChooseFolder()
    else set({ kind })
  }

  return (
    <Stack gap={14} fz="sm">
      <Radio.Group
        label={text('destination.saveTo')}
        value={value.kind}
        onChange={kind => choose(kind as Kind)}
        labelProps={{ mb: 8 }}
      >
        <Stack gap={10}>
          {kindsHere().map(kind => (
            <Radio
              key={kind}
              value={kind}
              label={<span className={classes.kind}>{text(`destination.kind.${kind}`)}</span>}
              description={text(`destination.about.${kind}`)}
            />
          ))}
        </Stack>
      </Radio.Group>

      {value.kind === 'folder' && (
        <Group gap={10} wrap="nowrap">
          <span className={classes.path} title={value.folder ?? undefined}>
            <bdi>{value.folder}</bdi>
          </span>
          <Button size="compact-sm" variant="default" onClick={onChooseFolder}>
            {text('destination.change')}
          </Button>
        </Group>
      )}

      {value.kind !== 'keep' && <Names value={value} set={set} check={check} />}
    </Stack>
  )
}

interface NamesProps extends Omit<Props, 'onChange' | 'onChooseFolder'> {
  set: (change: Partial<SaveTo>) => void
}

function Names({ value, set, check }: NamesProps) {
  const input = useRef<HTMLInputElement>(null)
  const insert = (word: string) => {
    const field = input.current
    const base = value.name === '' ? '{name}' : value.name
    const at = value.name === '' ? base.length : (field?.selectionStart ?? base.length)
    const placeholder = `{${word}}`
    set({
      name: value.name === '' && word === 'name' ? base : base.slice(0, at) + placeholder + base.slice(at),
    })
    field?.focus()
  }
  return (
    <>
      <TextInput
        ref={input}
        label={text('destination.name')}
        placeholder={text('destination.nameKept')}
        value={value.name}
        maxLength={255}
        spellCheck={false}
        error={check.problem}
        onChange={event => set({ name: event.currentTarget.value })}
      />
      <Group component="fieldset" gap={6} m="-4px 0 0">
        <legend className="hidden-text">{text('destination.placeholders')}</legend>
        {words.map(word => (
          <button
            key={word}
            type="button"
            className={classes.word}
            title={`{${word}}`}
            onClick={() => insert(word)}
          >
            {text(`destination.word.${word}`)}
          </button>
        ))}
      </Group>
      <p className={classes.example} role="status">
        {check.example !== null && (
          <>
            {text('destination.example')} <bdi>{check.example}</bdi>
          </>
        )}
      </p>
      <Segments
        label={text('destination.taken')}
        size="xs"
        data={(['number', 'ask'] as const).map(each => ({
          value: each,
          label: text(`destination.taken.${each}`),
        }))}
        value={value.taken ?? 'number'}
        onChange={taken => set({ taken })}
      >
        <p className="fine">{text('destination.neverReplaced')}</p>
      </Segments>
      {canRecycle() && (
        <Segments
          label={text('destination.original')}
          size="xs"
          data={(['keep', 'recycle'] as const).map(each => ({
            value: each,
            label: text(`destination.original.${each}`),
          }))}
          value={value.original ?? 'keep'}
          onChange={original => set({ original })}
        >
          {value.original === 'recycle' && <p className="fine">{text('destination.originalHint')}</p>}
        </Segments>
      )}
      {value.kind !== 'beside' && (
        <Checkbox
          label={text('destination.keepFolders')}
          checked={value.keepFolders}
          onChange={event => set({ keepFolders: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label={text('destination.keepDates')}
        checked={value.keepDates}
        onChange={event => set({ keepDates: event.currentTarget.checked })}
      />
    </>
  )
}
