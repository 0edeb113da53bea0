import { Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { text } from '../messages/text.ts'
import { Notice } from '../ui/Notice.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Panel } from '../ui/Panel.tsx'
import { AboutTable } from './AboutTable.tsx'
import { Engines } from './Engines.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import { Models } from './Models.tsx'
import { useSettings } from './store.ts'
import { ThemeChoice } from './ThemeChoice.tsx'

export function SettingsView() {
  const { about, failed, load } = useSettings()
  useEffect(() => void load(), [load])
  return (
    <PageFrame title={text('settings.title')} width="narrow">
      <Panel title={text('settings.appearance')}>
        <ThemeChoice />
        <LanguageChoice />
      </Panel>
      <Models />
      {failed && (
        <Notice
          tone="danger"
          title={text('errors.loadFailed')}
          actions={
            <Button size="compact-sm" variant="default" onClick={() => void load()}>
              {text('common.tryAgain')}
            </Button>
          }
        />
      )}
      {!about && !failed && <Loader role="status" aria-label={text('common.loading')} />}
      {about && (
        <>
          <Panel title={text('settings.about')}>
            <AboutTable about={about} />
          </Panel>
          <Panel title={text('settings.engines')} note={text('settings.enginesText')}>
            <Engines engines={about.engines} />
          </Panel>
        </>
      )}
    </PageFrame>
  )
}
