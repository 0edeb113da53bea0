import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys/store.ts'
import { categoryName, text } from '../messages/text.ts'
import { categories } from '../ui/categories.ts'
import { useReading } from '../ui/reading.ts'
import classes from './HistoryView.module.css'
import { type HistoryFilter, useHistory } from './store.ts'

const SEARCH_DELAY_MS = 250

const states = ['open', 'succeeded', 'failed', 'canceled'] as const
const periods = ['1', '7', '30'] as const

/** The filters of the history. */
export function Filters() {
  const { filter, narrow } = useHistory()
  const keys = useKeys()
  useReading(keys)
  const choice = <Name extends keyof HistoryFilter>(
    name: Name,
    label: string,
    choices: { value: string; label: string }[],
  ) => (
    <Select
      aria-label={label}
      data={choices}
      value={filter[name]}
      allowDeselect={false}
      onChange={value => void narrow({ [name]: value ?? '' })}
    />
  )
  return (
    <search className={classes.filters}>
      <SearchField value={filter.search} onChange={search => void narrow({ search })} />
      {choice('state', text('history.state'), [
        { value: '', label: text('history.states.any') },
        ...states.map(value => ({ value, label: text(`history.states.${value}`) })),
      ])}
      {choice('category', text('history.category'), [
        { value: '', label: text('history.anyCategory') },
        ...categories.map(value => ({ value, label: categoryName(value) })),
      ])}
      {choice('source', text('history.source'), [
        { value: '', label: text('history.anySource') },
        { value: 'app', label: text('history.fromApp') },
        { value: 'api', label: text('history.fromPrograms') },
        ...(keys.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {choice('days', text('history.period'), [
        { value: '', label: text('history.periods.any') },
        ...periods.map(value => ({ value, label: text(`history.periods.${value}`) })),
      ])}
    </search>
  )
}

interface SearchProps {
  value: string
  onChange: (text: string) => void
}

function SearchField({ value, onChange }: SearchProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const notify = useDebouncedCallback(onChange, SEARCH_DELAY_MS)
  return (
    <TextInput
      type="search"
      aria-label={text('history.search')}
      placeholder={text('history.search')}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
      maxLength={200}
      value={typed}
      onChange={event => {
        setTyped(event.currentTarget.value)
        notify(event.currentTarget.value)
      }}
    />
  )
}
