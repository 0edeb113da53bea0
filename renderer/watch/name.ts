import type { WatchRule } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { formatName } from '../session/format-name.ts'
import { lastPart } from '../ui/last-part.ts'

/** What a rule is called: the last part of its folder, and the target. */
export const nameOf = ({ folder, target }: Pick<WatchRule, 'folder' | 'target'>): string =>
  text('watch.rule', { folder: lastPart(folder), target: formatName(target) })
