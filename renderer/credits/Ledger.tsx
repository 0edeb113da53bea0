import { Box } from '@mantine/core'
import type { LedgerEntry } from '../../service/web/app/types.ts'
import { categoryName, text } from '../messages/text.ts'
import { count, moment } from '../ui/format.ts'
import classes from './Ledger.module.css'

const signed = (amount: number) => (amount > 0 ? `+${count(amount)}` : count(amount).replace('-', '\u2212'))

const tones: Partial<Record<string, string>> = { grant: 'attention', 'top-up': 'attention', refund: 'good' }

/** The reasons of the service's own grants, in the page's language; any other reason is a file name. */
function reasonOf({ kind, reason }: LedgerEntry): string | null {
  if (kind === 'grant' && reason === 'Automatic top-up') return text('credits.automatic')
  if (kind === 'grant' && reason === 'Free credits') return text('credits.free')
  if (kind === 'top-up' && reason === 'Top-up') return null
  return reason
}

export function Ledger({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <table className={classes.table} aria-label={text('credits.ledger')}>
      <thead>
        <tr>
          <th scope="col">{text('credits.columns.when')}</th>
          <th scope="col">{text('credits.columns.what')}</th>
          <th scope="col" className={classes.amount}>
            {text('credits.columns.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map(entry => (
          <tr key={entry.id}>
            <td className={`${classes.when} numbers`}>{moment(entry.createdAt)}</td>
            <td>
              <Box component="span" className="badge" me={9} data-tone={tones[entry.kind]}>
                {text(`credits.kinds.${entry.kind}`)}
              </Box>
              <span>{reasonOf(entry)}</span>
              {entry.category && <span data-tone="quiet"> · {categoryName(entry.category)}</span>}
            </td>
            <td className={`${classes.amount} numbers`} data-tone={entry.amount > 0 ? 'good' : undefined}>
              {signed(entry.amount)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
