import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../shell/session.ts'
import { average, count } from '../ui/format.ts'
import { LoadMore } from '../ui/LoadMore.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Panel } from '../ui/Panel.tsx'
import { usePages } from '../ui/usePages.ts'
import { CategoryBars } from './CategoryBars.tsx'
import classes from './CreditsView.module.css'
import { DayChart } from './DayChart.tsx'
import { everyDay } from './days.ts'
import { Ledger } from './Ledger.tsx'
import { type Period, periods, useCredits } from './store.ts'
import { TopUpDialog } from './TopUpDialog.tsx'

const loadLedger = (before: string | null) => api.ledger({ before, limit: 25 })

export function CreditsView() {
  const [toppingUp, setToppingUp] = useState(false)
  const balance = useSession(state => state.balance)
  const { days, credits, load } = useCredits()
  const ledger = usePages(loadLedger)
  const { reload } = ledger
  // Whatever moves the balance has a line in the ledger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance is the reason to read again
  useEffect(() => {
    void load()
  }, [balance, load])
  const refresh = useCallback(() => {
    void load()
    reload()
  }, [load, reload])

  const spent = credits?.spent ?? 0
  const jobs = credits?.byDay.reduce((sum, day) => sum + day.jobs, 0) ?? 0
  return (
    <PageFrame
      title={text('credits.title')}
      actions={
        <Button
          leftSection={<IconPlus size={18} stroke={1.9} aria-hidden="true" />}
          onClick={() => setToppingUp(true)}
        >
          {text('credits.topUp')}
        </Button>
      }
    >
      <section className={`${classes.figures} numbers`} aria-label={text('credits.title')}>
        <div className={classes.balance}>
          <p className={classes.label}>{text('credits.balance')}</p>
          <p className={classes.big}>{count(balance)}</p>
          <p className={classes.note}>{text('credits.balanceNote')}</p>
        </div>
        <div className={classes.figure}>
          <p className={classes.label}>{text('credits.spent')}</p>
          <p className={classes.value}>{count(spent)}</p>
          <p className={classes.note}>{text('credits.lastDays', { days })}</p>
        </div>
        <div className={classes.figure}>
          <p className={classes.label}>{text('credits.jobs')}</p>
          <p className={classes.value}>{count(jobs)}</p>
          <p className={classes.note}>{text('credits.lastDays', { days })}</p>
        </div>
        <div className={classes.figure}>
          <p className={classes.label}>{text('credits.perDay')}</p>
          <p className={classes.value}>{average(spent / days)}</p>
          <p className={classes.note}>{text('credits.lastDays', { days })}</p>
        </div>
      </section>
      <div className={classes.charts}>
        <Panel
          title={text('credits.byDay')}
          actions={
            <SegmentedControl
              size="xs"
              aria-label={text('credits.period')}
              data={periods.map(each => ({
                value: String(each),
                label: text('credits.periods', { days: each }),
              }))}
              value={String(days)}
              onChange={value => void load(Number(value) as Period)}
            />
          }
        >
          {credits && <DayChart days={everyDay(credits.byDay, days, new Date())} total={spent} />}
        </Panel>
        <Panel title={text('credits.byCategory')}>
          {credits && credits.byCategory.length > 0 ? (
            <CategoryBars categories={credits.byCategory} />
          ) : (
            <p className={classes.nothing}>{text('credits.nothingSpent')}</p>
          )}
        </Panel>
      </div>
      <Panel title={text('credits.ledger')}>
        {ledger.items.length > 0 && <Ledger entries={ledger.items} />}
        {ledger.items.length === 0 && ledger.status === 'end' && (
          <p className={classes.nothing}>{text('credits.ledgerEmpty')}</p>
        )}
        <LoadMore paged={ledger} label={text('credits.older')} />
      </Panel>
      <TopUpDialog opened={toppingUp} onClose={() => setToppingUp(false)} onDone={refresh} />
    </PageFrame>
  )
}
