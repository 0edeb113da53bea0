import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import type { Credits, LedgerEntry, LedgerQuery } from '../../service/web/app/types.ts'
import { api, fieldsOf } from '../api/client.ts'
import { addressed } from '../api/session.ts'
import { categoryName, text } from '../messages/text.ts'
import { categories } from '../ui/categories.ts'
import { LoadMore } from '../ui/list/LoadMore.tsx'
import { usePages } from '../ui/list/usePages.ts'
import { Panel } from '../ui/Panel.tsx'
import classes from './CreditsView.module.css'
import { Ledger } from './Ledger.tsx'
import { nameOfKey } from './names.ts'

const SEARCH_DELAY_MS = 250

const kinds = ['charge', 'refund', 'grant', 'top-up'] as const satisfies LedgerEntry['kind'][]

interface Props {
  byKey: Credits['byKey']
  /** Changes if there are new entries. */
  balance: number
}

/** The ledger with search and filters, and an export of what they show. */
export function LedgerPanel({ byKey, balance }: Props) {
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState('')
  const [category, setCategory] = useState('')
  const [keyId, setKeyId] = useState('')
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const fields = fieldsOf({ search, kind, category, keyId } as LedgerQuery)
  const load = useCallback(
    (before: string | null) =>
      api.ledger({ before, limit: 25 }, Object.fromEntries(new URLSearchParams(fields)) as LedgerQuery),
    [fields],
  )
  const paged = usePages(load)
  const { load: reload } = paged
  // Whatever moves the balance has a line in the ledger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance is the reason to read again
  useEffect(() => void reload(), [balance, reload])
  const keys = byKey.flatMap(each =>
    each.keyId === null ? [] : { value: each.keyId, label: nameOfKey(each) },
  )
  const choice = (
    label: string,
    any: string,
    value: string,
    onChange: (value: string) => void,
    data: { value: string; label: string }[],
  ) => (
    <Select
      aria-label={label}
      data={[{ value: '', label: any }, ...data]}
      value={value}
      allowDeselect={false}
      onChange={chosen => onChange(chosen ?? '')}
    />
  )
  return (
    <Panel
      title={text('credits.ledger')}
      actions={
        <Button
          component="a"
          href={addressed(`/app/ledger.csv${fields && `?${fields}`}`)}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.9} aria-hidden="true" />}
        >
          {text('credits.csv')}
        </Button>
      }
    >
      <search className={classes.filters}>
        <TextInput
          type="search"
          aria-label={text('credits.searchLedger')}
          placeholder={text('credits.searchLedger')}
          leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
          maxLength={200}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {choice(
          text('credits.kind'),
          text('credits.anyKind'),
          kind,
          setKind,
          kinds.map(value => ({ value, label: text(`credits.kinds.${value}`) })),
        )}
        {choice(
          text('credits.category'),
          text('credits.anyCategory'),
          category,
          setCategory,
          categories.map(value => ({ value, label: categoryName(value) })),
        )}
        {keys.length > 0 &&
          choice(text('credits.program'), text('credits.anyProgram'), keyId, setKeyId, keys)}
      </search>
      {paged.items.length > 0 && <Ledger entries={paged.items} />}
      {paged.items.length === 0 && paged.status === 'end' && (
        <p className={classes.nothing}>{text(fields ? 'credits.noneFound' : 'credits.ledgerEmpty')}</p>
      )}
      <LoadMore paged={paged} label={text('credits.older')} />
    </Panel>
  )
}
