import { message } from '../../../messages/message.ts'

/** What people are told when only part of a picture could be read. */
export const DAMAGED = message('picture.damaged')
