import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { filesOfList, filesOfTransfer } from '../state/submit/collect.ts'
import { addFiles } from './add.ts'

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere in the window or pasted into it. Returns whether files are being dragged over it. */
export function useFileDrop(): boolean {
  const [hovering, setHovering] = useState(false)
  // Both must accept: where the page changes under the pointer, one event that enters comes instead of the one over it.
  const accept = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    setHovering(true)
  }
  useWindowEvent('dragenter', accept)
  useWindowEvent('dragover', accept)
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    // From one element to the next is not out of the window.
    if (relatedTarget === null) setHovering(false)
  })
  useWindowEvent('drop', event => {
    setHovering(false)
    if (!carriesFiles(event) || !event.dataTransfer) return
    event.preventDefault()
    void filesOfTransfer(event.dataTransfer).then(addFiles)
  })
  useWindowEvent('paste', event => {
    const files = filesOfList(event.clipboardData?.files ?? [])
    if (files.length > 0) void addFiles(files)
  })
  return hovering
}
