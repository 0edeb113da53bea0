import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { movedMap } from '../../../engines/pictures/formats/gain-map.ts'
import { areaBefore, UPRIGHT } from '../../../engines/pictures/moves.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { type Encoded, openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { hasOtherEdges, placementOf } from './edits.ts'
import type { ImageSettings } from './settings.ts'

/** The gain map of a picture, cut and moved as the picture will be; undefined if it has none, or with a warning if the target cannot hold it. */
export async function gainMapOf(
  task: Pick<Task, 'target' | 'warn'>,
  source: Pixels | Encoded,
  settings: ImageSettings,
): Promise<Buffer | undefined> {
  const { metadata } = 'encoded' in source ? await openPicture(source) : {}
  const map = source.gainMap ?? metadata?.gainMap?.image
  if (!map || settings.hdr === 'sdr') return undefined
  try {
    if (task.target === 'jpg' && !(settings.edits && hasOtherEdges(settings.edits))) {
      const { width, height, orientation = 1 } = metadata ?? (source as Pixels)
      const upright = UPRIGHT[orientation] ?? ''
      const size = upright.includes('t') ? { width: height, height: width } : { width, height }
      const { area, moves } = placementOf(settings, size, { warn: () => {} })
      return await movedMap(map, upright + moves, areaBefore(area, size, upright), { width, height })
    }
  } catch (error) {
    // A crop outside of the picture is refused with its edits, and a damaged map costs no more than itself.
    if (!(error instanceof Error)) throw error
  }
  task.warn(message('picture.hdr_lost'))
  return undefined
}
