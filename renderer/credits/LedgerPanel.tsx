import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { Credits, LedgerEntry, LedgerQuery } from '../../service/web/app/types.ts'
import { api, fieldsOf } from '../api/client.ts'
import { addressed } from '../api/session.ts'
import { categoryName, text } from '../messages/text.ts'
import { categories } from '../ui/categories.ts'
import { FilterChoice, SearchField } from '../ui/list/Filter.tsx'
import { LoadMore } from '../ui/list/LoadMore.tsx'
import { usePages } from '../ui/list/usePages.ts'
import { Panel } from '../ui/Panel.tsx'
import classes from './CreditsView.module.css'
import { Ledger } from './Ledger.tsx'
import { nameOfKey } from './names.ts'

const entryTypes = ['charge', 'refund', 'grant', 'top-up'] as const satisfies LedgerEntry['kind'][]

interface Props {
  byKey: Credits['byKey']
  /** Changes if there are new entries. */
  balance: number
}

/** The ledger with search and filters, and an export of what they show. */
export function LedgerPanel({ byKey, balance }: Props) {
  const [filter, setFilter] = useState({ search: '', kind: '', category: '', keyId: '' })
  const fields = fieldsOf({ ...filter, search: filter.search.trim() } as LedgerQuery)
  // Whatever moves the balance has a line in the ledger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance is the reason to read again
  const load = useCallback(
    (before: string | null) =>
      api.ledger({ before, limit: 25 }, Object.fromEntries(new URLSearchParams(fields)) as LedgerQuery),
    [fields, balance],
  )
  const paged = usePages(load)
  const keys = byKey.flatMap(each =>
    each.keyId === null ? [] : { value: each.keyId, label: nameOfKey(each) },
  )
  const control = (name: keyof typeof filter) => ({
    value: filter[name],
    onChange: (value: string) => setFilter(all => ({ ...all, [name]: value })),
  })
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
        <SearchField label={text('credits.searchLedger')} {...control('search')} />
        <FilterChoice
          label={text('credits.kind')}
          any={text('credits.anyKind')}
          choices={entryTypes.map(value => ({ value, label: text(`credits.kinds.${value}`) }))}
          {...control('kind')}
        />
        <FilterChoice
          label={text('common.category')}
          any={text('common.anyCategory')}
          choices={categories.map(value => ({ value, label: categoryName(value) }))}
          {...control('category')}
        />
        {keys.length > 0 && (
          <FilterChoice
            label={text('credits.program')}
            any={text('common.allPrograms')}
            choices={keys}
            {...control('keyId')}
          />
        )}
      </search>
      {paged.items.length > 0 && <Ledger entries={paged.items} />}
      {paged.items.length === 0 && paged.status === 'end' && (
        <p className="aside">{text(fields ? 'credits.noneFound' : 'credits.ledgerEmpty')}</p>
      )}
      <LoadMore paged={paged} label={text('credits.older')} />
    </Panel>
  )
}
