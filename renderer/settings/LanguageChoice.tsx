import { Select } from '@mantine/core'
import { chooseLanguage, chosenLanguage, isLanguage, languages } from '../messages/language.ts'
import { text } from '../messages/text.ts'

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
