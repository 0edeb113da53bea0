import { SimpleGrid, Text } from '@mantine/core'
import { useContext } from 'react'
import type { OptionField } from '../../service/convert/catalogue/options.ts'
import { text } from '../messages/text.ts'
import chips from './SizeField.module.css'
import { Surroundings } from './surroundings.ts'
import classes from './WordChips.module.css'

interface Props {
  words: NonNullable<OptionField['x-words']>
  value: unknown
  onChange: (value: number | string) => void
}

/** Three words instead of a number, each with the size that it leads to, where that is known. */
export function WordChips({ words, value, onChange }: Props) {
  const { sizes = {} } = useContext(Surroundings)
  return (
    <SimpleGrid cols={3} spacing={6} mb={8}>
      {(['small', 'balanced', 'best'] as const).map(word => (
        <button
          key={word}
          type="button"
          className={`${chips.chip} hoverable tinted ${classes.word}`}
          aria-pressed={value === words[word]}
          onClick={() => onChange(words[word])}
        >
          {text(`form.word.${word}`)}
          {sizes[words[word]] !== undefined && (
            <Text component="span" className="numbers" fw={400} c="var(--ink-2)">
              {sizes[words[word]]}
            </Text>
          )}
        </button>
      ))}
    </SimpleGrid>
  )
}
