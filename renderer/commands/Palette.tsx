import { type ModalProps, Text, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { showCommands } from '../actions/show-commands.ts'
import { text } from '../messages/text.ts'
import { usePresetList } from '../presets/store.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { isPressed } from '../ui/shortcuts.ts'
import { type Command, commandsNow } from './list.ts'
import { matching } from './match.ts'
import classes from './Palette.module.css'

const PAGE_COMMANDS = 8

/** All commands in a dialog, near its top, so that the field stays where it is while the list gets shorter. */
export const Palette = (props: ModalProps) => (
  <Dialog
    {...props}
    size={620}
    padding={0}
    centered={false}
    yOffset="min(12vh, 96px)"
    title={text('commands.title')}
    withCloseButton={false}
    classNames={{ content: classes.dialog, header: 'hidden-text', body: classes.body }}
  >
    <CommandList onClose={props.onClose} />
  </Dialog>
)

/** One list that is filtered by typing; a combobox as in the ARIA guide. */
function CommandList({ onClose }: Pick<ModalProps, 'onClose'>) {
  const scheme = useMantineColorScheme()
  const presets = usePresetList()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered is what there was when it opened
  const commands = useMemo(() => commandsNow(scheme), [presets])
  const found = useMemo(() => matching(commands, query), [commands, query])
  const isFiltered = query.trim() !== ''

  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, id])

  const run = (command: Command | undefined) => {
    if (!command) return
    // Closed first, so that the command decides where the focus ends up.
    flushSync(onClose)
    command.run()
  }
  const move = (steps: number) => found.length > 0 && setAt((at + steps + found.length) % found.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const last = found.length - 1
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'PageDown') setAt(Math.min(at + PAGE_COMMANDS, Math.max(last, 0)))
    else if (event.key === 'PageUp') setAt(Math.max(at - PAGE_COMMANDS, 0))
    else if (event.key === 'Enter') run(found[at])
    else if (isPressed(showCommands.shortcut, event.nativeEvent)) onClose()
    else return
    event.preventDefault()
  }

  const option = (command: Command) => {
    const index = found.indexOf(command)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field and chooses from there
      // biome-ignore lint/a11y/useFocusableInteractive: likewise
      <div
        key={`${command.group} ${command.label}`}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === at}
        className={classes.option}
        onPointerMove={() => setAt(index)}
        onClick={() => run(command)}
      >
        <span className={classes.label}>{command.label}</span>
        {command.current && (
          <IconCheck size={16} stroke={2} className={classes.check} aria-label={text('commands.current')} />
        )}
        {isFiltered && <span className={classes.group}>{command.group}</span>}
        {command.keys && (
          <kbd className={classes.keys} data-verbatim>
            {command.keys}
          </kbd>
        )}
      </div>
    )
  }

  const groups = [...Map.groupBy(found, command => command.group)]
  return (
    <>
      <div className={classes.search}>
        <IconSearch size={18} stroke={1.8} aria-hidden="true" />
        <input
          className={classes.input}
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          aria-label={text('commands.search')}
          placeholder={text('commands.search')}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={event => {
            setQuery(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={text('commands.title')} className={classes.list}>
        {isFiltered
          ? found.map(option)
          : groups.map(([group, list]) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={group} role="group" aria-label={group}>
                <Text fz="var(--text-xs)" fw={600} c="var(--ink-3)" p="10px 10px 4px" aria-hidden="true">
                  {group}
                </Text>
                {list.map(option)}
              </div>
            ))}
      </div>
      {found.length === 0 && (
        <Text p="22px 16px" ta="center" c="var(--ink-2)">
          {text('commands.none')}
        </Text>
      )}
      <p className="hidden-text" role="status">
        {isFiltered ? text('commands.found', { value: found.length }) : ''}
      </p>
    </>
  )
}
