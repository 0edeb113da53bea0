import { Menu } from '@mantine/core'
import { IconChevronDown, IconDeviceFloppy, IconDownload, IconList, IconUpload } from '@tabler/icons-react'
import { lazy, type Ref, useRef, useState } from 'react'
import type { NewPreset, Preset } from '../../service/web/app/types.ts'
import { addressed } from '../api/session.ts'
import { text } from '../messages/text.ts'
import { OnceOpened } from '../ui/dialog/OnceOpened.tsx'
import { MenuCheck } from '../ui/MenuCheck.tsx'
import { useAction } from '../ui/useAction.ts'
import { readPresetFile } from './file.ts'
import { presetName } from './name.ts'
import { choosePreset } from './PresetChips.tsx'
import classes from './PresetMenu.module.css'
import { usePresets } from './store.ts'

const ManagePresets = lazy(async () => ({ default: (await import('./ManagePresets.tsx')).ManagePresets }))
const SavePreset = lazy(async () => ({ default: (await import('./SavePreset.tsx')).SavePreset }))

interface Props {
  /** The current target of each format, for saving as a preset. */
  choices: NewPreset['choices']
  /** Presets that do not fit elsewhere. */
  others: readonly Preset[]
  /** Id of the active preset. */
  chosen: string | null
  onChoose: (preset: Preset | null) => void
  ref?: Ref<HTMLButtonElement>
}

/** Presets without their own button; saving, managing, importing and exporting presets. */
export function PresetMenu({ choices, others, chosen, onChoose, ref }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const hasOwn = usePresets(state => state.presets.some(({ builtIn }) => !builtIn))
  const { act } = useAction()
  const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const
  const shown = others.find(({ id }) => id === chosen)
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <button
            ref={ref}
            type="button"
            className={`${classes.button} hoverable tinted`}
            data-chosen={shown !== undefined || undefined}
            aria-label={shown ? undefined : text('presets.menu')}
            aria-description={shown && text('presets.menu')}
          >
            <span className={`${classes.name} ellipsis`}>
              {shown ? presetName(shown) : text('common.more')}
            </span>
            <IconChevronDown {...icon} size={14} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(preset => (
            <Menu.Item
              key={preset.id}
              leftSection={<MenuCheck on={preset.id === chosen} />}
              onClick={() => choosePreset(preset, chosen, onChoose)}
            >
              {presetName(preset)}
            </Menu.Item>
          ))}
          {others.length > 0 && <Menu.Divider />}
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
              href={addressed('/app/presets/export')}
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
          if (file) void act(async () => usePresets.getState().importFile(await readPresetFile(file)))
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
