import { useEffect, useState } from 'react'
import { filesOfList, filesOfTransfer } from '../state/collect.ts'
import { addFiles } from './add.ts'

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere in the window or pasted into it. Returns whether files are being dragged over it. */
export function useFileDrop(): boolean {
  const [hovering, setHovering] = useState(false)
  useEffect(() => {
    // Entering a child also leaves its parent, so the depth shows when the window is left.
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth++
      setHovering(true)
    }
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setHovering(false)
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setHovering(false)
      if (!carriesFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      void filesOfTransfer(event.dataTransfer).then(addFiles)
    }
    const paste = (event: ClipboardEvent) => {
      const files = filesOfList(event.clipboardData?.files ?? [])
      if (files.length > 0) addFiles(files)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    window.addEventListener('paste', paste)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
      window.removeEventListener('paste', paste)
    }
  }, [])
  return hovering
}
