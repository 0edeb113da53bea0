import { Box, Group, Text } from '@mantine/core'
import { text } from '../messages/text.ts'
import { count } from '../ui/format.ts'
import classes from './Bars.module.css'

export interface Bar {
  id: string
  label: string
  spent: number
  /** Gives the bar the colour of a category. */
  category?: string
}

interface Props {
  /** What the bars represent, for screen readers. */
  title: string
  heading: string
  bars: readonly Bar[]
}

/** Bars beside their values, as a table, so that everybody reads the same. */
export function Bars({ title, heading, bars }: Props) {
  const most = Math.max(1, ...bars.map(({ spent }) => spent))
  return (
    <table className={`${classes.table} numbers`} aria-label={title}>
      <thead className="hidden-text">
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">{text('credits.spent')}</th>
        </tr>
      </thead>
      <tbody>
        {[...bars]
          .sort((a, b) => b.spent - a.spent)
          .map(({ id, label, spent, category }) => (
            <tr key={id} data-category={category}>
              <th scope="row" title={label}>
                {label}
              </th>
              <td>
                <Group gap={12} wrap="nowrap">
                  <Box flex={1}>
                    <div
                      className={classes.bar}
                      data-fill
                      style={{ width: `${(Math.max(0, spent) / most) * 100}%` }}
                    />
                  </Box>
                  <Text component="span" miw="4ch" fw={600} ta="end">
                    {count(spent)}
                  </Text>
                </Group>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
