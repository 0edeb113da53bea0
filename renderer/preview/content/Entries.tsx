import { Group } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { size } from '../../ui/format.ts'
import type { EntriesContent } from './content.ts'
import classes from './Entries.module.css'

/** The first entries of an archive. */
export function Entries({ look: { entries, count } }: { look: EntriesContent }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard
    <section className={classes.entries} tabIndex={0} aria-label={text('preview.entries', { count })}>
      <p className={classes.count}>{text('preview.entries', { count })}</p>
      <ul className="plain-list">
        {entries.map(({ path, bytes }) => (
          <Group key={path} component="li" gap={12} py={2} justify="space-between" wrap="nowrap">
            <bdi className="ellipsis" title={path}>
              {path}
            </bdi>
            {bytes !== null && <span className={classes.bytes}>{size(bytes)}</span>}
          </Group>
        ))}
      </ul>
      {count > entries.length && (
        <p className={classes.count}>{text('preview.moreEntries', { count: count - entries.length })}</p>
      )}
    </section>
  )
}
