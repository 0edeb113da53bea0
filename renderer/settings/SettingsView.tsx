import { Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { messages } from '../messages.ts'
import { Notice } from '../ui/Notice.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Panel } from '../ui/Panel.tsx'
import { AboutTable } from './AboutTable.tsx'
import { Engines } from './Engines.tsx'
import { Models } from './Models.tsx'
import { useSettings } from './store.ts'
import { ThemeChoice } from './ThemeChoice.tsx'

export function SettingsView() {
  const { about, failed, load } = useSettings()
  useEffect(() => void load(), [load])
  const words = messages.settings
  return (
    <PageFrame title={words.title} width="narrow">
      <Panel title={words.appearance}>
        <ThemeChoice />
      </Panel>
      <Models />
      {failed && (
        <Notice
          tone="danger"
          title={messages.errors.loadFailed}
          actions={
            <Button size="compact-sm" variant="default" onClick={() => void load()}>
              {messages.common.tryAgain}
            </Button>
          }
        />
      )}
      {!about && !failed && <Loader role="status" aria-label={messages.common.loading} />}
      {about && (
        <>
          <Panel title={words.about}>
            <AboutTable about={about} />
          </Panel>
          <Panel title={words.engines} note={words.enginesText}>
            <Engines engines={about.engines} />
          </Panel>
        </>
      )}
    </PageFrame>
  )
}
