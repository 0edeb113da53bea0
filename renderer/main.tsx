import '@fontsource-variable/inter/wght.css'
import './theme/library.css'
import '@mantine/notifications/styles.layer.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/forced-colors.css'
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeSession } from './api/session.ts'
import { startLanguage } from './messages/language.ts'
import { useSession } from './session/session.ts'
import { App } from './shell/App.tsx'
import { cssVariables, theme } from './theme/theme.ts'
import { startAccent } from './ui/accent.ts'

const colorScheme = localStorageColorSchemeManager({ key: 'refile-theme' })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element.')
// Letters that change their width a moment later would push everything around; without them the system's are shown.
const letters = document.fonts.load('1em "Inter Variable"').catch(() => {})
await Promise.all([takeSession(), startLanguage()])
// Answers in the language of the page, which is prepared meanwhile.
void useSession.getState().start()
await Promise.all([startAccent(), letters])
createRoot(root).render(
  <StrictMode>
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorScheme}
        defaultColorScheme="auto"
      >
        <App />
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
)
