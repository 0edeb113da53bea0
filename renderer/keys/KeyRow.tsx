import { Code, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ago, date } from '../ui/format.ts'
import entry from '../ui/list/Entry.module.css'
import { Entry } from '../ui/list/Entry.tsx'
import { EntryAction } from '../ui/list/EntryAction.tsx'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { useNow } from '../ui/useNow.ts'

interface Props {
  apiKey: ApiKey
  onRevoke: () => void
  onBudget: () => void
}

export function KeyRow({ apiKey, onRevoke, onBudget }: Props) {
  const now = useNow()
  const expired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= now
  const facts = [
    text('keys.created', { when: date(apiKey.createdAt) }),
    apiKey.lastUsedAt ? text('keys.used', { when: ago(apiKey.lastUsedAt, now) }) : text('keys.neverUsed'),
    apiKey.expiresAt ? text('keys.expires', { when: date(apiKey.expiresAt) }) : text('keys.neverExpires'),
    apiKey.ipAllowlist.length > 0
      ? text('keys.addresses', { value: apiKey.ipAllowlist.length })
      : text('keys.anyAddress'),
  ]
  return (
    <Entry
      name={apiKey.name}
      icon={<IconKey size={20} stroke={1.7} aria-hidden="true" />}
      beside={<Code ms={10}>{apiKey.prefix}</Code>}
      badges={[apiKey.guest && text('keys.guest'), expired && text('keys.expired')]}
      facts={facts}
      factsTitle={apiKey.ipAllowlist.join(', ')}
      idle={expired}
      actions={
        <>
          <EntryAction
            label={text('keys.setBudget')}
            named={text('keys.setBudgetNamed', { name: apiKey.name })}
            onClick={onBudget}
          />
          <EntryAction
            label={text('keys.revoke')}
            named={text('keys.revokeNamed', { name: apiKey.name })}
            danger
            onClick={onRevoke}
          />
        </>
      }
    >
      <Meter apiKey={apiKey} />
    </Entry>
  )
}

/** How much of the month's budget is used; nothing for a key without a budget. */
function Meter({ apiKey: { name, monthlyBudget, spentThisMonth } }: Pick<Props, 'apiKey'>) {
  if (monthlyBudget === null) return null
  return (
    <Stack gap={4} maw={320} mt={6} className="numbers">
      <ProgressLine
        label={text('keys.budgetOf', { name })}
        percent={monthlyBudget === 0 ? 100 : (spentThisMonth / monthlyBudget) * 100}
      />
      <span className={entry.facts}>
        {text('keys.budgetSpent', { spent: spentThisMonth, budget: monthlyBudget })}
      </span>
    </Stack>
  )
}
