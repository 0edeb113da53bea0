import type { ReactNode } from 'react'
import type { About } from '../../service/web/app/types.ts'
import { Accounts } from '../accounts/Accounts.tsx'
import { api } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { isMember } from '../session/session.ts'
import { isSystemAccentKnown } from '../ui/accent.ts'
import { Loaded } from '../ui/list/Loaded.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Panel } from '../ui/Panel.tsx'
import { readingStore } from '../ui/reading.ts'
import { hrefOf, useSection } from '../ui/route.ts'
import { WatchedFolders } from '../watch/WatchedFolders.tsx'
import { AboutTable } from './AboutTable.tsx'
import { ApiSection } from './ApiSection.tsx'
import { AccentChoice, AutoTopUp, LanguageChoice, MetadataChoice, ThemeChoice } from './choices.tsx'
import { DesktopSection } from './DesktopSection.tsx'
import { Engines } from './Engines.tsx'
import { Sandbox } from './Sandbox.tsx'
import classes from './Settings.module.css'
import { SignedIn } from './SignedIn.tsx'
import { Packs, SpeechModels } from './SpeechModels.tsx'
import { type Section, sectionOf, sections } from './sections.ts'

export function SettingsView() {
  const section = sectionOf(useSection())
  return (
    <PageFrame title={text('pages.settings')} width="narrow">
      <nav aria-label={text('settings.sections')}>
        <ul className={`${classes.sections} plain-list`}>
          {sections().map(name => (
            <li key={name}>
              <a href={hrefOf('settings', name)} aria-current={name === section ? 'page' : undefined}>
                {text(`settings.${name}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Content section={section} />
    </PageFrame>
  )
}

function Content({ section }: { section: Section }) {
  switch (section) {
    case 'general':
      return (
        <>
          <Panel title={text('settings.appearance')}>
            <ThemeChoice />
            {isSystemAccentKnown() && <AccentChoice />}
            <LanguageChoice />
          </Panel>
          {!isMember() && (
            <Panel title={text('pages.credits')}>
              <AutoTopUp />
            </Panel>
          )}
          {!desktop().settings && <SignedIn />}
        </>
      )
    case 'desktop':
      return <DesktopSection />
    case 'conversions':
      return (
        <>
          <Panel title={text('settings.photos')}>
            <MetadataChoice />
          </Panel>
          <SpeechModels />
          <Packs />
          <WithAbout>{about => <Engines engines={about.engines} />}</WithAbout>
        </>
      )
    case 'watch':
      return <WatchedFolders />
    case 'api':
      return <ApiSection />
    case 'accounts':
      return <Accounts />
    case 'about':
      return (
        <WithAbout>
          {about => (
            <>
              <Panel title={text('settings.about')}>
                <AboutTable about={about} />
              </Panel>
              <Sandbox />
              <Engines engines={about.engines} />
            </>
          )}
        </WithAbout>
      )
  }
}

const useAbout = readingStore(api.about)

/** The service's data about itself, once loaded. */
const WithAbout = ({ children }: { children: (about: About) => ReactNode }) => (
  <Loaded from={useAbout()}>{children}</Loaded>
)
