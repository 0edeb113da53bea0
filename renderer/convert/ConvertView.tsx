import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { text } from '../messages/text.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { Folder } from './add/Folder.tsx'
import { LastPresets } from './add/LastPresets.tsx'
import { SupportedFormats } from './add/SupportedFormats.tsx'
import { BottomBar } from './bar/BottomBar.tsx'
import { TopBar } from './bar/TopBar.tsx'
import classes from './ConvertView.module.css'
import { useJoining } from './state/converting.ts'
import type { Line } from './state/layout.ts'
import { useRemoval } from './state/removal.ts'
import { useTable } from './state/store.ts'
import { useLines } from './state/useLines.ts'
import { useView } from './state/view.ts'
import { FileTable } from './table/FileTable.tsx'

/** Loaded while the table is already visible. */
const LazyInspector = lazy(async () => ({ default: (await import('./inspector/Inspector.tsx')).Inspector }))

const Inspector = ({ lines }: { lines: readonly Line[] }) => (
  <Suspense fallback={null}>
    <LazyInspector lines={lines} />
  </Suspense>
)

interface Props {
  /** Whether files are being dragged over the window. */
  dropping: boolean
}

/** The main screen: files, their targets and their results in one place. */
export function ConvertView({ dropping }: Props) {
  const lines = useLines()
  const undoable = useRemoval(state => state.undoable)
  const isRead = useTable(state => state.status === 'ready')
  const isNarrow = useMediaQuery('(width < 1080px)', undefined, { getInitialValueInEffect: false })
  const detailsOpen = useView(state => state.detailsOpen)
  useWarningBeforeClosing()

  if (lines.length === 0) {
    return (
      <div className={classes.empty} data-undo={undoable !== null || undefined}>
        <div className={classes.welcome} data-shown={isRead || undefined}>
          <h1 className="hidden-text">{text('convert.title')}</h1>
          <Folder open={dropping} />
          <LastPresets />
          <SupportedFormats />
        </div>
        <div className={classes.toasts}>
          <Toasts />
        </div>
        {undoable !== null && <BottomBar lines={lines} />}
      </div>
    )
  }
  return (
    <div className={classes.screen} data-narrow={isNarrow || undefined}>
      <TopBar lines={lines} />
      <div className={classes.table} data-dropping={dropping || undefined}>
        <FileTable lines={lines} />
        {dropping && <p className={classes.drop}>{text('convert.dropActive')}</p>}
      </div>
      {isNarrow ? (
        <Drawer
          opened={detailsOpen}
          onClose={() => useView.getState().showDetails(false)}
          position="right"
          size={360}
          title={text('convert.details')}
          closeButtonProps={{ 'aria-label': text('common.close') }}
          portalProps={{ target: '#content' }}
          padding={0}
          classNames={{ header: classes.sheetHead ?? '' }}
        >
          <Inspector lines={lines} />
        </Drawer>
      ) : (
        <aside className={classes.details} aria-label={text('convert.details')}>
          <Inspector lines={lines} />
        </aside>
      )}
      <div className={classes.toasts}>
        <Toasts />
      </div>
      <BottomBar lines={lines} />
    </div>
  )
}

/** Batches are stored by the service; only files that have not been uploaded would be lost with the page. */
function useWarningBeforeClosing(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (useTable.getState().isTaking() || useJoining.getState().waiting.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
}
