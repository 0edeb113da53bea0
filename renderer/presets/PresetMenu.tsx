import { Menu } from '@mantine/core'
import { IconDeviceFloppy, IconDotsVertical, IconDownload, IconList, IconUpload } from '@tabler/icons-react'
import { lazy, useRef, useState } from 'react'
import type { NewPreset } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { tellProblem } from '../ui/notify.ts'
import { OnceOpened } from '../ui/OnceOpened.tsx'
import { readPresetFile } from './file.ts'
import classes from './PresetMenu.module.css'
import { usePresets } from './store.ts'

const ManagePresets = lazy(async () => ({ default: (await import('./ManagePresets.tsx')).ManagePresets }))
const SavePreset = lazy(async () => ({ default: (await import('./SavePreset.tsx')).SavePreset }))

interface Props {
  /** What each format becomes now, for a preset that keeps it. */
  choices: NewPreset['choices']
}

/** Saving, managing, importing and exporting presets of one's own. */
export function PresetMenu({ choices }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const hasOwn = usePresets(state => state.presets.some(({ builtIn }) => !builtIn))
  const importFile = async (file: File) => {
    try {
      await usePresets.getState().importFile(await readPresetFile(file))
    } catch (error) {
      tellProblem(error)
    }
  }
  const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <button type="button" className={classes.button} aria-label={text('presets.menu')}>
            <IconDotsVertical {...icon} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDeviceFloppy {...icon} />}
            disabled={Object.keys(choices).length === 0}
            onClick={() => setDialog('save')}
          >
            {text('presets.save')}
          </Menu.Item>
          <Menu.Item leftSection={<IconList {...icon} />} onClick={() => setDialog('manage')}>
            {text('presets.manage')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconUpload {...icon} />} onClick={() => input.current?.click()}>
            {text('presets.import')}
          </Menu.Item>
          {hasOwn && (
            <Menu.Item
              component="a"
              href="/app/presets/export"
              download="refile-presets.json"
              leftSection={<IconDownload {...icon} />}
            >
              {text('presets.export')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={text('presets.importFile')}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void importFile(file)
        }}
      />
      <OnceOpened opened={dialog === 'save'}>
        <SavePreset choices={choices} opened={dialog === 'save'} onClose={() => setDialog(null)} />
      </OnceOpened>
      <OnceOpened opened={dialog === 'manage'}>
        <ManagePresets opened={dialog === 'manage'} onClose={() => setDialog(null)} />
      </OnceOpened>
    </>
  )
}
