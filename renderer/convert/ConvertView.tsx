import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { text } from '../messages/text.ts'
import { Toasts } from '../ui/notifications/Toasts.tsx'
import { Folder } from './add/Folder.tsx'
import { Goals } from './add/Goals.tsx'
import { LastPresets } from './add/LastPresets.tsx'
import { SupportedFormats } from './add/SupportedFormats.tsx'
import classes from './ConvertView.module.css'
import { useJoin } from './state/join/join.ts'
import { whenAllRead } from './state/join/joinable.ts'
import { useJoining } from './state/join/joining.ts'
import type { Line } from './state/rows/layout.ts'
import { useRemoval } from './state/rows/removal.ts'
import { useLines } from './state/rows/useLines.ts'
import { useTable } from './state/store.ts'

interface Props {
  /** Whether files are being dragged over the window. */
  dropping: boolean
}

/** The main screen: files, their targets and their results in one place. */
export function ConvertView({ dropping }: Props) {
  const lines = useLines()
  const undoable = useRemoval(state => state.undoable)
  const isRead = useTable(state => state.status === 'ready')
  const screen = useScreen(isRead || lines.length > 0)
  useWarningBeforeClosing()
  useJoinRequest(lines)

  if (lines.length > 0 && screen) return <screen.Screen lines={lines} dropping={dropping} />
  return (
    <div className={classes.empty} data-undo={undoable !== null || undefined}>
      <div className={classes.welcome} data-shown={(isRead && lines.length === 0) || undefined}>
        <h1 className="hidden-text">{text('pages.convert')}</h1>
        <Folder open={dropping} />
        <Goals />
        <LastPresets />
        <SupportedFormats />
      </div>
      <div className={classes.toasts}>
        <Toasts />
      </div>
      {undoable !== null && screen && <screen.BottomBar lines={lines} />}
    </div>
  )
}

/** What is needed once there are files. */
async function loadScreen() {
  const [{ Screen }, { BottomBar }] = await Promise.all([
    import('./Screen.tsx'),
    import('./bar/BottomBar.tsx'),
  ])
  return { Screen, BottomBar }
}

/** Null until it was loaded. */
let loaded: Awaited<ReturnType<typeof loadScreen>> | null = null

/** What is needed once there are files, loaded as soon as the first screen is shown. Unlike a lazy component, it is then drawn at once. */
function useScreen(isNeeded: boolean) {
  const [screen, setScreen] = useState(loaded)
  useEffect(() => {
    if (!isNeeded) return
    loadScreen().then(
      found => {
        loaded = found
        setScreen(found)
      },
      error =>
        setScreen(() => {
          throw error
        }),
    )
  }, [isNeeded])
  return screen
}

/** Asks for the order of files that were to be joined before they were added. */
function useJoinRequest(lines: readonly Line[]): void {
  const isWanted = useJoin(state => state.isWanted)
  const rows = useTable(state => state.rows)
  useEffect(() => {
    const joinable = isWanted ? whenAllRead(lines, rows) : null
    if (joinable) useJoin.getState().ask(joinable)
  }, [isWanted, lines, rows])
}

/** Batches are stored by the service; only files that have not been uploaded would be lost with the page. */
function useWarningBeforeClosing(): void {
  useWindowEvent('beforeunload', event => {
    if (useTable.getState().isTaking() || useJoining.getState().waiting.size > 0) event.preventDefault()
  })
}
