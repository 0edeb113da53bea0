import { Box, Button, useMantineColorScheme } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { desktop } from '../api/desktop.ts'
import { Overlays } from '../commands/Overlays.tsx'
import { FileInputs } from '../convert/add/FileInputs.tsx'
import { useFileDrop } from '../convert/add/useFileDrop.ts'
import { ConvertView } from '../convert/ConvertView.tsx'
import { useMemory } from '../convert/state/choose/memory.ts'
import { loadSettings } from '../convert/state/choose/settings.ts'
import { totalsOf } from '../convert/state/submit/totals.ts'
import { batchList } from '../jobs/conversions.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import { Notice } from '../ui/notifications/Notice.tsx'
import { Toasts } from '../ui/notifications/Toasts.tsx'
import { type PageName, usePage } from '../ui/route.ts'
import { useKeyboardScroll } from '../ui/useKeyboardScroll.ts'
import classes from './App.module.css'
import { startLive } from './live.ts'
import { Rail } from './Rail.tsx'
import { SignedOut, Unreachable } from './Stopped.tsx'

/** All pages except the main one are loaded on first use. */
const views = {
  history: lazy(async () => ({ default: (await import('../history/HistoryView.tsx')).HistoryView })),
  credits: lazy(async () => ({ default: (await import('../credits/CreditsView.tsx')).CreditsView })),
  programs: lazy(async () => ({ default: (await import('../programs/ProgramsView.tsx')).ProgramsView })),
  settings: lazy(async () => ({ default: (await import('../settings/SettingsView.tsx')).SettingsView })),
} satisfies Record<Exclude<PageName, 'convert'>, unknown>

export function App() {
  const status = useSession(state => state.status)
  const [choicesRead, setChoicesRead] = useState(false)
  const { colorScheme } = useMantineColorScheme()
  // Of a shell that cannot have it, only the buttons of the window stay as the system has them.
  useEffect(
    () =>
      void desktop()
        .setTheme?.(colorScheme)
        .catch(() => {}),
    [colorScheme],
  )
  const isStopped = status === 'signed-out' || status === 'unreachable'
  useEffect(() => {
    if (isStopped) return
    // Files added before the last choices are known would be converted by others, and saved elsewhere.
    const choices = [useMemory.getState().load(), loadSettings()]
    let isCurrent = true
    void Promise.all(choices).then(() => isCurrent && setChoicesRead(true))
    return () => {
      isCurrent = false
      setChoicesRead(false)
    }
  }, [isStopped])
  return (
    <>
      <div className={classes.titleBar} />
      {status === 'ready' && choicesRead && <Frame />}
      {status === 'signed-out' && <SignedOut />}
      {status === 'unreachable' && <Unreachable />}
    </>
  )
}

function Frame() {
  const page = usePage()
  const dropping = useFileDrop()
  const live = useSession(state => state.live)
  const notice = useSession(state => state.session?.notice)
  const dismissNotice = useSession(state => state.dismissNotice)
  useEffect(startLive, [])
  useTabTitle(page)
  const scroller = useKeyboardScroll()
  return (
    <div className={classes.frame}>
      {/* A button rather than a link: the hash names the page, and a link would change it. */}
      <button type="button" className={classes.skip} onClick={skip}>
        {text('app.skipToContent')}
      </button>
      <Rail page={page} />
      <main id="content" className={classes.content} tabIndex={-1}>
        {!live && (
          <p className={classes.lost} role="status">
            {text('app.connectionLost')}
          </p>
        )}
        {notice && (
          <Box flex="none" p="12px 20px 0">
            <Notice
              tone="attention"
              actions={
                <Button size="compact-sm" variant="default" onClick={dismissNotice}>
                  {text('common.close')}
                </Button>
              }
            >
              <p>{notice}</p>
            </Notice>
          </Box>
        )}
        {/* Another page begins at its top. */}
        <div key={page} ref={scroller} className={classes.page} data-scroller>
          <Suspense fallback={null}>
            <Page page={page} dropping={dropping} />
          </Suspense>
        </div>
        {/* The main screen shows notifications in its own place, above the bar at the bottom. */}
        {page !== 'convert' && <Toasts />}
        <FileInputs />
        <Overlays />
      </main>
      {dropping && page !== 'convert' && (
        <div className={classes.dropVeil} aria-hidden="true">
          <p>{text('app.dropAnywhere')}</p>
        </div>
      )}
    </div>
  )
}

/** Sets the tab title to the page's name, preceded by the progress of open batches. */
function useTabTitle(page: PageName): void {
  const batches = useJobs(batchList)
  const title = useMemo(() => {
    const name = text('app.title', { page: text(`pages.${page}`) })
    const { open } = totalsOf(batches)
    return open ? text('batches.tabTitle', { ended: open.ended, total: open.total, title: name }) : name
  }, [batches, page])
  useDocumentTitle(title)
}

function skip(): void {
  document.getElementById('content')?.focus()
}

function Page({ page, dropping }: { page: PageName; dropping: boolean }) {
  if (page === 'convert') return <ConvertView dropping={dropping} />
  const View = views[page]
  return <View />
}
