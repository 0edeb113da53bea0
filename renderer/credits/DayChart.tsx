import { Stack } from '@mantine/core'
import { text } from '../messages/text.ts'
import { count, shortDay } from '../ui/format.ts'
import classes from './DayChart.module.css'
import { axisTop, type DayTotal } from './days.ts'

interface Props {
  days: readonly DayTotal[]
  total: number
  /** Shows the values instead of the bars. */
  asTable: boolean
}

/** Bars with the cost of each day. Screen readers get a table with the same values. */
export function DayChart({ days, total, asTable }: Props) {
  const top = axisTop(Math.max(0, ...days.map(day => day.spent)))
  const every = Math.ceil(days.length / 8)
  return (
    <Stack component="figure" gap={0} flex={1} m={0}>
      <div className={classes.plot} aria-hidden="true" hidden={asTable}>
        {[top, top / 2, 0].map(value => (
          <div key={value} className={classes.grid} style={{ bottom: `${(value / top) * 100}%` }}>
            <span className="numbers">{count(value)}</span>
          </div>
        ))}
        <div className={classes.bars}>
          {days.map(({ day, spent, jobs }) => (
            <div
              key={day}
              className={classes.slot}
              title={text('credits.bar', { day: shortDay(day), spent, jobs })}
            >
              <div
                className={classes.bar}
                data-fill
                style={{ height: `${(Math.max(0, spent) / top) * 100}%` }}
              />
            </div>
          ))}
        </div>
      </div>
      <div className={`${classes.axis} fine numbers`} aria-hidden="true" hidden={asTable}>
        {days.map(({ day }, index) => (
          <span key={day} data-second={Math.floor((days.length - 1 - index) / every) % 2 || undefined}>
            {(days.length - 1 - index) % every === 0 ? shortDay(day) : ''}
          </span>
        ))}
      </div>
      <table className={asTable ? `${classes.table} numbers` : 'hidden-text'}>
        <caption>{text('credits.chartLabel', { total, days: days.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{text('credits.day')}</th>
            <th scope="col">{text('credits.spent')}</th>
            <th scope="col">{text('credits.jobs')}</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(day => day.jobs > 0)
            .map(({ day, spent, jobs }) => (
              <tr key={day}>
                <th scope="row">{shortDay(day)}</th>
                <td>{count(spent)}</td>
                <td>{count(jobs)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Stack>
  )
}
