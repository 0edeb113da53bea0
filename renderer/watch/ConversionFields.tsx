import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core'
import { withValue } from '../forms/schema.ts'
import { text } from '../messages/text.ts'
import { Options } from '../options/Options.tsx'
import { choiceOf, suits } from '../presets/choice.ts'
import { presetName } from '../presets/name.ts'
import { usePresetList } from '../presets/store.ts'
import { formatName, matchesSearch } from '../session/format-name.ts'
import { useSession } from '../session/session.ts'
import { type Chosen, sourcesOf, targetsOf } from './conversion.ts'
import classes from './Watch.module.css'

interface Props {
  value: Chosen
  onChange: (value: Chosen) => void
  /** Why it cannot be sent so. */
  error: string | null
}

const named = (formats: readonly string[]): ComboboxItem[] =>
  formats
    .map(value => ({ value, label: formatName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))

const search: OptionsFilter = ({ options, search: words }) =>
  (options as ComboboxItem[]).filter(({ label, value }) => matchesSearch(words, label, value))

/** Which files a rule is about and what they become, with the presets and the options of that conversion. */
export function ConversionFields({ value, onChange, error }: Props) {
  const { source, target, options } = value
  const catalogue = useSession(state => state.catalogue)
  return (
    <>
      <Select
        label={text('watch.from')}
        description={text('watch.fromHint')}
        placeholder={text('watch.fromAny')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': text('watch.fromAny') }}
        data={named(sourcesOf(catalogue))}
        filter={search}
        value={source}
        onChange={chosen => {
          const isLeft = target !== null && targetsOf(catalogue, chosen).includes(target)
          onChange({ source: chosen, target: isLeft ? target : null, options: {}, preset: null })
        }}
      />
      {source !== null && <PresetField source={source} value={value} onChange={onChange} />}
      <Select
        label={text('watch.target')}
        searchable
        data={named(targetsOf(catalogue, source))}
        filter={search}
        value={target}
        error={error}
        onChange={chosen => onChange({ ...value, target: chosen, options: {}, preset: null })}
      />
      {source !== null && target !== null && (
        <section className={classes.options} aria-label={text('convert.options')}>
          <Options
            from={source}
            to={target}
            values={options}
            onChange={(path, changed) =>
              onChange({ ...value, options: withValue(options, path, changed), preset: null })
            }
            onReset={() => onChange({ ...value, options: {}, preset: null })}
          />
        </section>
      )}
    </>
  )
}

/** The presets that say what files of a format become. */
function PresetField({ source, value, onChange }: Omit<Props, 'error'> & { source: string }) {
  const presets = usePresetList()
  const suited = presets.filter(preset => suits(preset, [source]))
  if (suited.length === 0) return null
  return (
    <Select
      label={text('convert.preset')}
      placeholder={text('convert.noPreset')}
      clearable
      clearButtonProps={{ 'aria-label': text('convert.noPreset') }}
      data={suited.map(preset => ({ value: preset.id, label: presetName(preset) }))}
      value={value.preset}
      onChange={id => {
        const preset = suited.find(each => each.id === id)
        const choice = preset && choiceOf(preset, source)
        onChange({ ...value, ...(choice ?? { options: {} }), preset: id })
      }}
    />
  )
}
