import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useDeferredValue } from 'react'
import { text } from '../messages/text.ts'
import { OnceOpened } from '../ui/dialog/OnceOpened.tsx'
import { Toasts } from '../ui/notifications/Toasts.tsx'
import { BottomBar } from './bar/BottomBar.tsx'
import { TopBar } from './bar/TopBar.tsx'
import classes from './ConvertView.module.css'
import { useJoin } from './state/join/join.ts'
import type { Line } from './state/rows/layout.ts'
import { useView } from './state/rows/view.ts'
import { FileTable } from './table/FileTable.tsx'

/** Loaded while the table is already visible. */
const LazyInspector = lazy(async () => ({ default: (await import('./inspector/Inspector.tsx')).Inspector }))

const QuickLook = lazy(async () => ({ default: (await import('./table/QuickLook.tsx')).QuickLook }))

const JoinDialog = lazy(async () => ({ default: (await import('./table/JoinDialog.tsx')).JoinDialog }))

const Inspector = ({ lines }: { lines: readonly Line[] }) => (
  <Suspense fallback={null}>
    <LazyInspector lines={lines} />
  </Suspense>
)

interface Props {
  lines: readonly Line[]
  /** Whether files are being dragged over the window. */
  dropping: boolean
}

/** The main screen once there are files. */
export function Screen({ lines, dropping }: Props) {
  const isNarrow = useMediaQuery('(width < 1080px)', undefined, { getInitialValueInEffect: false })
  const detailsOpen = useView(state => state.detailsOpen)
  const isLooking = useView(state => state.looking !== null)
  const isJoinAsked = useJoin(state => state.isAsking)
  // The files are drawn first; the summary of all of them follows a moment later, in a place that is kept for it.
  const isDrawn = useDeferredValue(true, false)
  return (
    <div className={classes.screen} data-narrow={isNarrow || undefined}>
      {isDrawn ? <TopBar lines={lines} /> : <div className={classes.top} />}
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
          // The library leaves it where the portal begins, which is beside the rail.
          styles={{ header: { padding: '12px 16px' }, inner: { insetInline: 0 } }}
        >
          <Inspector lines={lines} />
        </Drawer>
      ) : (
        <aside className={classes.details} aria-label={text('convert.details')}>
          {isDrawn && <Inspector lines={lines} />}
        </aside>
      )}
      <div className={classes.toasts}>
        <Toasts />
      </div>
      {isDrawn ? <BottomBar lines={lines} /> : <div className={classes.foot} />}
      <OnceOpened opened={isLooking}>
        <QuickLook />
      </OnceOpened>
      <OnceOpened opened={isJoinAsked}>
        <JoinDialog lines={lines} />
      </OnceOpened>
    </div>
  )
}
