import { Button, Switch } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ShellSettings, ShellSettingsChange } from '../../electron/ipc.ts'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { percent } from '../ui/format.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { Panel } from '../ui/Panel.tsx'
import { useAction } from '../ui/useAction.ts'

/** Settings of the desktop shell. */
export function DesktopSection() {
  const [settings, setSettings] = useState<ShellSettings | null>(null)
  const { busy, act } = useAction()
  useEffect(() => void desktop().settings?.().then(setSettings, notifyProblem), [])
  if (!settings) return null
  const { startAtLogin, fileManager, update } = settings
  const toggle = (name: keyof ShellSettingsChange, description: string) => (
    <Switch
      label={text(`settings.${name}`)}
      description={description}
      checked={settings[name] ?? false}
      disabled={busy || settings[name] === null}
      onChange={({ currentTarget: { checked } }) =>
        void act(async () => setSettings((await desktop().changeSettings?.({ [name]: checked })) ?? settings))
      }
    />
  )
  return (
    <>
      <Panel title={text('settings.background')}>
        {toggle('keepRunning', text('settings.keepRunningHint'))}
        {toggle(
          'startAtLogin',
          text(startAtLogin === null ? 'settings.startAtLoginFixed' : 'settings.startAtLoginHint'),
        )}
        {toggle(
          'fileManager',
          text(fileManager === null ? 'settings.fileManagerFixed' : 'settings.fileManagerHint'),
        )}
      </Panel>
      <Panel title={text('settings.updates')}>
        {toggle('keepUpdated', wordsOf(update))}
        {update.kind === 'ready' && (
          <Button size="xs" disabled={busy} onClick={() => void act(async () => desktop().installUpdate?.())}>
            {text('settings.restart')}
          </Button>
        )}
      </Panel>
    </>
  )
}

function wordsOf(update: ShellSettings['update']): string {
  switch (update.kind) {
    case 'downloading':
      return text('settings.update.downloading', {
        version: update.version,
        percent: percent(update.percent / 100),
      })
    case 'ready':
      return text('settings.update.ready', { version: update.version })
    default:
      return text(`settings.update.${update.kind}`)
  }
}
