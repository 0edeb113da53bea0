import type { Credits } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'

/** Display name of a program: the name of its key, or that it is this app. */
export const nameOfKey = ({ keyId, name }: Pick<Credits['byKey'][number], 'keyId' | 'name'>): string =>
  keyId === null ? text('common.thisApp') : (name ?? text('common.formerKey'))
