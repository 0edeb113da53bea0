import { Box, CloseButton, Text } from '@mantine/core'
import { everywhere } from '../actions/all.ts'
import { look } from '../actions/look.ts'
import { remove } from '../actions/remove.ts'
import { text } from '../messages/text.ts'
import { inTable, keysText, type Shortcut } from '../ui/shortcuts.ts'
import { Dialog } from './Dialog.tsx'
import classes from './ShortcutList.module.css'
import { useOverlay } from './store.ts'

/** All shortcuts, from the same table that defines them. */
export function ShortcutList() {
  return (
    <Dialog label={text('shortcuts.title')}>
      <header className={classes.head}>
        <Text component="h2" fz="var(--text-lg)" fw={650}>
          {text('shortcuts.title')}
        </Text>
        <CloseButton aria-label={text('common.close')} onClick={() => useOverlay.getState().show(null)} />
      </header>
      {/* In a low window it scrolls, also with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={classes.body} tabIndex={0} aria-label={text('shortcuts.title')}>
        <Part
          title={text('shortcuts.everywhere')}
          shortcuts={everywhere.flatMap(({ shortcut }) => shortcut ?? [])}
        />
        <Part
          title={text('shortcuts.inTable')}
          shortcuts={[...Object.values(inTable), ...[look, remove].flatMap(({ shortcut }) => shortcut ?? [])]}
        />
      </section>
    </Dialog>
  )
}

function Part({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <Text component="h3" fz="var(--text-sm)" fw={600} c="var(--ink-2)" m="14px 0 2px">
        {title}
      </Text>
      <Box component="dl" m={0}>
        {shortcuts.map(shortcut => (
          <div key={shortcut.label} className={classes.line}>
            <dt>{text(shortcut.label)}</dt>
            <dd>
              <kbd className={classes.keys} data-verbatim>
                {keysText(shortcut)}
              </kbd>
            </dd>
          </div>
        ))}
      </Box>
    </section>
  )
}
