import { Box, Popover, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import type { SaveTo as Choice } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { lastPart } from '../ui/last-part.ts'
import { Panel } from './Panel.tsx'
import classes from './SaveTo.module.css'
import { possible } from './store.ts'
import { type Example, useCheck } from './useCheck.ts'
import { useFolderChoice } from './useFolderChoice.tsx'

interface Props {
  value: Choice
  onChange: (value: Choice) => void
  /** An example file with its target, to show what results will be called; null if there is none. */
  example: Example | null
  /** Name of the preset in use, for `{preset}` in names. */
  preset: string | null
}

/** The destination and the names of results, on one line that opens a panel with all choices. */
export function SaveTo({ value, onChange, example, preset }: Props) {
  const [opened, setOpened] = useState(false)
  const choice = possible(value)
  const check = useCheck(choice, example, preset)
  const place =
    choice.kind === 'folder' && choice.folder !== null
      ? lastPart(choice.folder)
      : text(`destination.kind.${choice.kind}`)
  const { choose, dialog, browsing } = useFolderChoice({
    start: choice.folder,
    confirm: text('destination.chooseThis'),
    onChoose: folder => onChange({ ...choice, kind: 'folder', folder }),
  })
  return (
    <>
      <Popover
        // The dialog replaces the panel, since both would trap the focus.
        opened={opened && !browsing}
        onChange={setOpened}
        position="top-start"
        width={420}
        shadow="md"
        trapFocus
        withRoles
      >
        <Popover.Target>
          <UnstyledButton className={`${classes.button} hoverable`} onClick={() => setOpened(!opened)}>
            <IconFolder size={18} stroke={1.7} aria-hidden="true" className={classes.symbol} />
            <Box component="span" display="grid" miw={0} maw="max(30vw, 300px)">
              <span className={classes.place}>
                <span className="ellipsis">{text('destination.button', { place })}</span>
                <IconChevronDown size={14} stroke={2} aria-hidden="true" />
              </span>
              {check.problem !== null ? (
                <span className={`${classes.problem} ellipsis`}>{check.problem}</span>
              ) : (
                check.example !== null && (
                  <span className={`${classes.example} ellipsis`} title={check.example}>
                    <bdi>{choice.kind === 'beside' ? lastPart(check.example) : check.example}</bdi>
                  </span>
                )
              )}
            </Box>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown maw="calc(100vw - 16px)" mah="min(640px, 80vh)" style={{ overflowY: 'auto' }}>
          <Panel value={choice} onChange={onChange} check={check} onChooseFolder={choose} />
        </Popover.Dropdown>
      </Popover>
      {dialog}
    </>
  )
}
