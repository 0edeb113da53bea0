import { message } from '../../../../shared/messages/message.ts'

/** The message shown if only part of a picture could be read. */
export const DAMAGED = message('picture.damaged')
