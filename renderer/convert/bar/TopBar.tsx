import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconLayoutSidebarRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import { allFiles, perform, possible } from '../../actions/action.ts'
import { groupings, orders } from '../../actions/arrange.ts'
import { join } from '../../actions/join.ts'
import { removeAll } from '../../actions/remove.ts'
import { text } from '../../messages/text.ts'
import { MenuCheck } from '../../ui/MenuCheck.tsx'
import { FilePicker } from '../add/FilePicker.tsx'
import { offersOf } from '../state/choose/choices.ts'
import { convertible, type Line } from '../state/rows/layout.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { PresetBar } from './PresetBar.tsx'
import { TargetPicker } from './TargetPicker.tsx'
import classes from './TopBar.module.css'

/** Adding files, and actions for all of them. */
export function TopBar({ lines }: { lines: readonly Line[] }) {
  const rowsOf = () => convertible(lines).flatMap(key => useTable.getState().rows.get(key) ?? [])
  return (
    <header className={classes.bar}>
      <h1 className="hidden-text" tabIndex={-1} id="page-title">
        {text('pages.convert')}
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
            aria-label={text('common.more')}
            title={text('common.more')}
          >
            <IconDots size={18} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <AllActions />
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

/** What can be done with all files, found when the menu is opened. */
function AllActions() {
  const on = allFiles()
  return [groupings, orders, [join, removeAll]].map((actions, index) => (
    <Fragment key={actions[0]?.name(on)}>
      {index > 0 && <Menu.Divider />}
      {actions.map(action => (
        <Menu.Item
          key={action.name(on)}
          leftSection={<MenuCheck on={action.isCurrent?.() ?? false} />}
          disabled={possible([action], on).length === 0}
          onClick={() => void perform(action, allFiles())}
        >
          {action.name(on)}
        </Menu.Item>
      ))}
    </Fragment>
  ))
}
