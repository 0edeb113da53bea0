import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { text } from '../../messages/text.ts'

/** A dialog over the page, with a button that closes it. */
export function Dialog({ opened, ...props }: ModalProps) {
  // The library restores the focus only if the dialog was there before it was opened.
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return (
    <Modal opened={opened && isThere} closeButtonProps={{ 'aria-label': text('common.close') }} {...props} />
  )
}
