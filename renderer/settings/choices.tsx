/** Controls of the settings that are one choice each. */
import { Select, Switch, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { useCredits } from '../credits/store.ts'
import { useUsual, usualMetadata } from '../forms/usual.ts'
import { chooseLanguage, chosenLanguage, isLanguage, languages } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { accents, chooseAccent, chosenAccent } from '../ui/accent.ts'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Segments } from '../ui/Segments.tsx'
import { themes } from '../ui/themes.ts'
import { useAction } from '../ui/useAction.ts'

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Segments
      label={text('settings.theme')}
      data={themes.map(value => ({ value, label: text(`settings.themes.${value}`) }))}
      value={colorScheme}
      onChange={setColorScheme}
    />
  )
}

export function AccentChoice() {
  const [accent, setAccent] = useState(chosenAccent)
  return (
    <Segments
      label={text('settings.accent')}
      data={accents.map(value => ({ value, label: text(`settings.accents.${value}`) }))}
      value={accent}
      onChange={value => {
        setAccent(value)
        chooseAccent(value)
      }}
    />
  )
}

/** Each language under its own name, so that people find theirs on a page they cannot read. */
export function LanguageChoice() {
  const names = Object.entries(languages).map(([value, { name }]) => ({ value, label: name }))
  return (
    <Select
      label={text('settings.language')}
      data={[{ value: 'system', label: text('settings.systemLanguage') }, ...names]}
      value={chosenLanguage() ?? 'system'}
      allowDeselect={false}
      onChange={value => chooseLanguage(isLanguage(value) ? value : null)}
    />
  )
}

const CHOICES = ['all', 'no-place', 'none'] as const

/** What stays of the metadata of photos, unless a conversion says otherwise. */
export function MetadataChoice() {
  const kept = useUsual(usualMetadata)
  const { busy, act } = useAction()
  return (
    <Select
      label={text('settings.metadata')}
      description={text('settings.metadataHint')}
      data={CHOICES.map(value => ({ value, label: text(`settings.kept.${value}`) }))}
      value={kept}
      disabled={busy}
      allowDeselect={false}
      onChange={value => value && void act(() => useUsual.getState().choose(value))}
    />
  )
}

/** Whether the account tops itself up. */
export function AutoTopUp() {
  const store = useCredits()
  const { busy, act } = useAction()
  return (
    <Loaded from={store}>
      {({ autoTopUp: { on, isFixed } }) => (
        <Switch
          label={text('settings.autoTopUp')}
          description={isFixed ? text('settings.autoTopUpFixed') : text('settings.autoTopUpHint')}
          checked={on}
          disabled={isFixed || busy}
          onChange={event => void act(() => store.setAutoTopUp(event.currentTarget.checked))}
        />
      )}
    </Loaded>
  )
}
