import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { extensionOf } from '../../../service/shared/names/extension.ts'
import { useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { lastPart } from '../../ui/last-part.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import type { Row } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'

/** The name of a result without its suffix, which stays: Enter, or leaving the field, gives it, and Esc leaves it as it was. */
export function ResultName({ row: { item } }: { row: Row }) {
  const { job = null, savedTo = null } = item ?? {}
  const name = savedTo === null ? (job?.output?.fileName ?? '') : lastPart(savedTo)
  const isFolder = savedTo !== null && (job?.output?.fileCount ?? 1) > 1
  const extension = isFolder ? '' : extensionOf(name)
  const suffix = extension && `.${extension}`
  const before = name.slice(0, name.length - suffix.length)
  const [stem, setStem] = useState(before)
  const isOver = useRef(false)
  const end = () => {
    isOver.current = true
    useView.getState().rename(null)
    useView.getState().focusLine()
  }
  const give = async () => {
    if (isOver.current) return
    const wanted = stem.trim()
    if (!job || wanted === '' || wanted === before) return end()
    isOver.current = true
    try {
      await useJobs.getState().rename(job.id, wanted)
      end()
    } catch (error) {
      isOver.current = false
      notifyProblem(error)
    }
  }
  return (
    <TextInput
      size="xs"
      autoFocus
      aria-label={text('convert.renameNamed', { name })}
      maxLength={200}
      spellCheck={false}
      value={stem}
      rightSection={<bdi className="fine">{suffix}</bdi>}
      rightSectionWidth={`${suffix.length + 2}ch`}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setStem(event.currentTarget.value)}
      onBlur={() => void give()}
      onKeyDown={event => {
        // Its keys are not the table's.
        event.stopPropagation()
        if (event.key === 'Enter') void give()
        if (event.key === 'Escape') end()
      }}
    />
  )
}
