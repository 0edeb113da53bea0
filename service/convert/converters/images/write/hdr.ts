import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { isJxlWritten } from '../../../engines/pictures/jxl/write.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import type { Encoded } from '../../../engines/pictures/sharp/picture.ts'
import { isPainted } from './edits.ts'
import type { ImageSettings } from './settings.ts'

/**
 * A picture in PQ or HLG as it is if the target holds that, and otherwise mapped to ordinary screens, with a warning unless that is
 * asked for; any other picture as it is. Its HDR is stated where it stays.
 */
export async function withHdr(
  { target, warn }: Pick<Task, 'target' | 'warn'>,
  source: Pixels | Encoded,
  settings: ImageSettings,
): Promise<Pixels | Encoded> {
  const { hdr, ...mapped } = source
  if (!hdr || settings.hdr === 'sdr') return mapped
  // Edits and grounds are of ordinary colours.
  const isChanged =
    settings.colour === 'p3' || settings.background || (settings.edits && isPainted(settings.edits))
  const isHeld = target === 'avif' || (target === 'jxl' && (await isJxlWritten()))
  if (isHeld && !isChanged && 'data' in source && source.data instanceof Uint16Array) {
    const { icc: _mapping, ...kept } = source
    return kept
  }
  warn(message('picture.hdr_mapped'))
  return mapped
}
