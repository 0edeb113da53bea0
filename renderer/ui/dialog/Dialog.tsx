import { Modal, type ModalProps } from '@mantine/core'
import { text } from '../../messages/text.ts'

/** A dialog over the page, with a button that closes it. */
export const Dialog = (props: ModalProps) => (
  <Modal closeButtonProps={{ 'aria-label': text('common.close') }} {...props} />
)
