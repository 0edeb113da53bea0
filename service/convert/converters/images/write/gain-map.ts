import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import {
  appleHeadroomOf,
  mapOfApple,
  movedMap,
  parametersOf,
} from '../../../engines/pictures/formats/gain-map.ts'
import { areaBefore, UPRIGHT } from '../../../engines/pictures/moves.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { type Encoded, openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { HDR_FORMATS } from '../options.ts'
import { hasOtherEdges, placementOf } from './edits.ts'
import type { ImageSettings } from './settings.ts'

/**
 * The gain map of a picture as it stands behind a JPEG, cut and moved as the picture will be; undefined if it has none, or with a
 * warning if the target cannot hold it.
 */
export async function gainMapOf(
  task: Pick<Task, 'target' | 'warn'>,
  source: Pixels | Encoded,
  settings: ImageSettings,
): Promise<Buffer | undefined> {
  const { metadata } = 'encoded' in source ? await openPicture(source) : {}
  if ((!source.gainMap && !metadata?.gainMap) || settings.hdr === 'sdr') return undefined
  try {
    const isHeld = HDR_FORMATS.includes(task.target) && !(settings.edits && hasOtherEdges(settings.edits))
    const map = isHeld ? await (source.gainMap?.() ?? metadata?.gainMap?.image) : undefined
    if (map) {
      const { width, height, orientation = 1 } = metadata ?? (source as Pixels)
      const upright = UPRIGHT[orientation] ?? ''
      const size = upright.includes('t') ? { width: height, height: width } : { width, height }
      const { area, moves } = placementOf(settings, size, { warn: () => {} })
      const own = await movedMap(map, upright + moves, areaBefore(area, size, upright), { width, height })
      if (parametersOf(own)) return own
      // That of Apple would need the maker note beside it.
      const headroom = appleHeadroomOf(own, metadata?.exif)
      if (headroom) return await mapOfApple(sharp(own), headroom)
    }
  } catch (error) {
    // A crop outside of the picture is refused with its edits, and a damaged map costs no more than itself.
    if (!(error instanceof Error)) throw error
  }
  task.warn(message('picture.hdr_lost'))
  return undefined
}
