import { useKeys } from '../keys/store.ts'
import { categoryName, text } from '../messages/text.ts'
import { categories } from '../ui/categories.ts'
import { FilterChoice, SearchField } from '../ui/list/Filter.tsx'
import { useReading } from '../ui/reading.ts'
import classes from './HistoryView.module.css'
import { type HistoryFilter, useHistory } from './store.ts'

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
    any: string,
    choices: { value: string; label: string }[],
  ) => (
    <FilterChoice
      {...{ label, any, choices }}
      value={filter[name]}
      onChange={value => void narrow({ [name]: value })}
    />
  )
  return (
    <search className={classes.filters}>
      <SearchField
        label={text('history.search')}
        value={filter.search}
        onChange={search => void narrow({ search })}
      />
      {choice('state', text('history.state'), text('history.states.any'), [
        ...states.map(value => ({ value, label: text(`history.states.${value}`) })),
      ])}
      {choice('category', text('common.category'), text('common.anyCategory'), [
        ...categories.map(value => ({ value, label: categoryName(value) })),
      ])}
      {choice('source', text('history.source'), text('history.anySource'), [
        { value: 'app', label: text('common.thisApp') },
        { value: 'api', label: text('common.allPrograms') },
        ...(keys.value ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {choice('days', text('common.period'), text('history.periods.any'), [
        ...periods.map(value => ({ value, label: text(`history.periods.${value}`) })),
      ])}
    </search>
  )
}
