import { lazy, type ReactNode, useState } from 'react'
import { desktop } from '../api/desktop.ts'
import { OnceOpened } from '../ui/dialog/OnceOpened.tsx'
import { useAction } from '../ui/useAction.ts'

const FolderDialog = lazy(async () => ({ default: (await import('./FolderDialog.tsx')).FolderDialog }))

interface Options {
  /** Initial folder; by default the person's home folder. */
  start: string | null
  /** The button that takes the folder. */
  confirm: string
  onChoose: (folder: string) => void
}

interface FolderChoice {
  choose: () => void
  /** What the component has to show. */
  dialog: ReactNode
  /** Whether the page's own dialog is open. */
  browsing: boolean
}

/** Chooses a folder of this computer: in the system's dialog on the desktop, in one of the page in a browser. */
export function useFolderChoice({ start, confirm, onChoose }: Options): FolderChoice {
  const [browsing, setBrowsing] = useState(false)
  const { act } = useAction()
  const choose = async () => {
    const { chooseFolder } = desktop()
    if (!chooseFolder) return setBrowsing(true)
    const chosen = await chooseFolder(start)
    if (chosen !== null) onChoose(chosen)
  }
  const dialog = (
    <OnceOpened opened={browsing}>
      <FolderDialog
        opened={browsing}
        start={start}
        confirm={confirm}
        onClose={() => setBrowsing(false)}
        onChoose={onChoose}
      />
    </OnceOpened>
  )
  return { choose: () => void act(choose), dialog, browsing }
}
