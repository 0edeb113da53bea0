import { Popover } from '@mantine/core'
import { useState } from 'react'
import type { OptionField, OptionGroup } from '../../service/convert/catalogue/options.ts'
import { text } from '../messages/text.ts'
import classes from './Described.module.css'

interface Props {
  of: OptionField | OptionGroup
}

/** What an option does, and behind a question mark how exactly. */
export const Described = ({ of: { title, description, 'x-note': note } }: Props) => (
  <>
    {description}
    {note && <Note about={title} note={note} />}
  </>
)

function Note({ about, note }: { about: string; note: string }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} width={280} position="top" shadow="md" withArrow>
      <Popover.Target>
        <button
          type="button"
          className={`${classes.mark} hoverable`}
          aria-label={text('form.note', { title: about })}
          onClick={() => setOpened(!opened)}
          onKeyDown={event => {
            if (event.key !== 'Escape' || !opened) return
            // Only the note closes, not what it stands in.
            event.stopPropagation()
            setOpened(false)
          }}
        >
          ?
        </button>
      </Popover.Target>
      <Popover.Dropdown fz="sm">{note}</Popover.Dropdown>
    </Popover>
  )
}
