import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { categoryName, text } from '../messages/text.ts'
import { isMember, useSession } from '../session/session.ts'
import { average, count } from '../ui/format.ts'
import { LoadFailed } from '../ui/list/LoadFailed.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Panel } from '../ui/Panel.tsx'
import { hrefOf } from '../ui/route.ts'
import { Bars } from './Bars.tsx'
import classes from './CreditsView.module.css'
import { DayChart } from './DayChart.tsx'
import { everyDay } from './days.ts'
import { LedgerPanel } from './LedgerPanel.tsx'
import { nameOfKey } from './names.ts'
import { periods, useCredits } from './store.ts'
import { TopUpDialog } from './TopUpDialog.tsx'

export function CreditsView() {
  const [toppingUp, setToppingUp] = useState(false)
  const balance = useSession(state => state.balance)
  const member = useSession(isMember)
  const { days, value: credits, failed, load, choose } = useCredits()
  const [asTable, setAsTable] = useState(false)
  // Whatever moves the balance has a line in the ledger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance is the reason to read again
  useEffect(() => void load(), [balance, load])

  const spent = credits?.spent ?? 0
  const jobs = credits?.byDay.reduce((sum, day) => sum + day.jobs, 0) ?? 0
  const figures = [
    [text('credits.spent'), count(spent)],
    [text('credits.jobs'), count(jobs)],
    [text('credits.perDay'), average(spent / days)],
  ] as const
  return (
    <PageFrame
      title={text('pages.credits')}
      actions={
        !member && (
          <Button
            leftSection={<IconPlus size={18} stroke={1.9} aria-hidden="true" />}
            onClick={() => setToppingUp(true)}
          >
            {text('credits.topUp')}
          </Button>
        )
      }
    >
      {failed && <LoadFailed onRetry={() => void load()} />}
      <section className={`${classes.figures} numbers`} aria-label={text('pages.credits')}>
        <div className={classes.balance}>
          <p className={classes.label}>{text('credits.balance')}</p>
          <p className={classes.big}>{count(balance)}</p>
          <p className={classes.note}>{text('credits.balanceNote')}</p>
        </div>
        {figures.map(([label, value]) => (
          <div key={label} className={classes.figure}>
            <p className={classes.label}>{label}</p>
            <p className={classes.value}>{value}</p>
            <p className={classes.note}>{text('credits.lastDays', { days })}</p>
          </div>
        ))}
      </section>
      {credits && (
        <p className={`${classes.quiet} remark`}>
          {text(credits.autoTopUp.on ? 'credits.topsUp' : 'credits.topsUpNot')}{' '}
          <a href={hrefOf('settings', 'general')}>{text('credits.change')}</a>
        </p>
      )}
      <div className={classes.charts}>
        <Panel
          title={text('credits.byDay')}
          actions={
            <Group gap={10} align="flex-start">
              <Button size="xs" variant="default" onClick={() => setAsTable(!asTable)}>
                {text(asTable ? 'credits.asChart' : 'credits.asTable')}
              </Button>
              <SegmentedControl
                size="xs"
                aria-label={text('common.period')}
                data={periods.map(value => ({ value, label: text('credits.periods', { days: value }) }))}
                value={days}
                onChange={value => void choose(value)}
              />
            </Group>
          }
        >
          {credits && (
            <DayChart days={everyDay(credits.byDay, days, new Date())} total={spent} asTable={asTable} />
          )}
        </Panel>
        <Stack gap={22} miw={0}>
          <Panel title={text('credits.byCategory')}>
            {credits && credits.byCategory.length > 0 ? (
              <Bars
                title={text('credits.byCategory')}
                heading={text('common.category')}
                bars={credits.byCategory.map(({ category, spent: amount }) => ({
                  ...{ id: category, label: categoryName(category), spent: amount, category },
                }))}
              />
            ) : (
              <p className="aside">{text('credits.nothingSpent')}</p>
            )}
          </Panel>
          {credits && credits.byKey.length > 0 && (
            <Panel title={text('credits.byKey')}>
              <Bars
                title={text('credits.byKey')}
                heading={text('credits.program')}
                bars={credits.byKey.map(each => ({
                  ...{ id: each.keyId ?? '', label: nameOfKey(each), spent: each.spent },
                }))}
              />
            </Panel>
          )}
        </Stack>
      </div>
      <LedgerPanel byKey={credits?.byKey ?? []} balance={balance} />
      <TopUpDialog opened={toppingUp} onClose={() => setToppingUp(false)} />
    </PageFrame>
  )
}
