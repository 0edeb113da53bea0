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
  const { keepRunning, startAtLogin, fileManager, keepUpdated, update } = settings
  const change = (what: ShellSettingsChange) =>
    void act(async () => setSettings((await desktop().changeSettings?.(what)) ?? settings))
  return (
    <>
      <Panel title={text('settings.background')}>
        <Switch
          label={text('settings.keepRunning')}
          description={text('settings.keepRunningHint')}
          checked={keepRunning}
          disabled={busy}
          onChange={event => change({ keepRunning: event.currentTarget.checked })}
        />
        <Switch
          label={text('settings.startAtLogin')}
          description={text(
            startAtLogin === null ? 'settings.startAtLoginFixed' : 'settings.startAtLoginHint',
          )}
          checked={startAtLogin ?? false}
          disabled={busy || startAtLogin === null}
          onChange={event => change({ startAtLogin: event.currentTarget.checked })}
        />
        <Switch
          label={text('settings.fileManager')}
          description={text(fileManager === null ? 'settings.fileManagerFixed' : 'settings.fileManagerHint')}
          checked={fileManager ?? false}
          disabled={busy || fileManager === null}
          onChange={event => change({ fileManager: event.currentTarget.checked })}
        />
      </Panel>
      <Panel title={text('settings.updates')}>
        <Switch
          label={text('settings.keepUpdated')}
          description={wordsOf(update)}
          checked={keepUpdated ?? false}
          disabled={busy || keepUpdated === null}
          onChange={event => change({ keepUpdated: event.currentTarget.checked })}
        />
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
    case 'off':
      return text('settings.update.off')
    case 'declined':
      return text('settings.update.declined')
    case 'current':
      return text('settings.update.current')
    case 'downloading':
      return text('settings.update.downloading', {
        version: update.version,
        percent: percent(update.percent / 100),
      })
    case 'ready':
      return text('settings.update.ready', { version: update.version })
    case 'failed':
      return text('settings.update.failed')
  }
}
