import { Box, type ModalProps, Text } from '@mantine/core'
import type { Action } from '../actions/action.ts'
import { everywhere, ofRows } from '../actions/all.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { inTable, keysText, type Shortcut } from '../ui/shortcuts.ts'
import classes from './ShortcutList.module.css'

const shortcutsOf = (actions: readonly Action[]) => actions.flatMap(({ shortcut }) => shortcut ?? [])

/** All shortcuts, from the same table that defines them. */
export function ShortcutList(props: ModalProps) {
  return (
    <Dialog {...props} size={620} title={text('shortcuts.title')}>
      <Part title={text('shortcuts.everywhere')} shortcuts={shortcutsOf(everywhere)} />
      <Part
        title={text('shortcuts.inTable')}
        shortcuts={[...Object.values(inTable), ...shortcutsOf(ofRows.flat())]}
      />
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
