import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCheck, IconDots, IconLayoutSidebarRight } from '@tabler/icons-react'
import { text } from '../../messages/text.ts'
import { FilePicker } from '../add/FilePicker.tsx'
import { removeRows } from '../state/actions.ts'
import { offersOf } from '../state/choose/choices.ts'
import { useJoin } from '../state/join/join.ts'
import { joinText } from '../state/join/join-text.ts'
import { joinableOf } from '../state/join/joinable.ts'
import type { Line } from '../state/rows/layout.ts'
import { useGrouping, useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { PresetBar } from './PresetBar.tsx'
import { TargetPicker } from './TargetPicker.tsx'
import classes from './TopBar.module.css'

interface Props {
  lines: readonly Line[]
}

/** Keys of all rows that can be converted, including collapsed ones. */
const convertible = (lines: readonly Line[]): string[] =>
  lines.flatMap(line => (line.type === 'group' ? line.keys : []))

const check = (on: boolean) =>
  on ? <IconCheck size={16} aria-hidden="true" /> : <span className={classes.noCheck} />

/** Adding files, and actions for all of them. */
export function TopBar({ lines }: Props) {
  const { groupBy, groupAs } = useGrouping()
  const rowsOf = () => convertible(lines).flatMap(key => useTable.getState().rows.get(key) ?? [])
  return (
    <header className={classes.bar}>
      <h1 className="hidden-text" tabIndex={-1} id="page-title">
        {text('convert.title')}
      </h1>
      <FilePicker compact />
      <TargetPicker
        label={text('convert.targetOfAll')}
        caption={text('convert.everything')}
        offers={() => offersOf(rowsOf())}
        files={convertible(lines).length}
        chosen={null}
        onChoose={choice => useTable.getState().choose(convertible(lines), choice)}
      />
      <PresetBar />
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={text('convert.more')}
            title={text('convert.more')}
          >
            <IconDots size={18} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={check(groupBy === 'kind')} onClick={() => groupAs('kind')}>
            {text('convert.groupByKind')}
          </Menu.Item>
          <Menu.Item leftSection={check(groupBy === 'folder')} onClick={() => groupAs('folder')}>
            {text('convert.groupByFolder')}
          </Menu.Item>
          <Menu.Divider />
          <JoinItem lines={lines} />
          <Menu.Item
            leftSection={check(false)}
            onClick={() => removeRows(useTable.getState().rows.keys(), lines)}
          >
            {text('convert.removeAll')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        className={classes.details}
        size="xs"
        variant="default"
        leftSection={<IconLayoutSidebarRight size={16} stroke={1.8} aria-hidden="true" />}
        onClick={() => useView.getState().showDetails(true)}
      >
        {text('convert.details')}
      </Button>
    </header>
  )
}

/** Offers to make one file of everything; it looks for what can be joined when the menu is opened. */
function JoinItem({ lines }: Props) {
  const joinable = joinableOf(lines, useTable.getState().rows)
  return (
    <Menu.Item
      leftSection={check(false)}
      disabled={joinable.keys.length < 2}
      onClick={() => useJoin.getState().ask(joinable)}
    >
      {joinText(joinable.into)}
    </Menu.Item>
  )
}
