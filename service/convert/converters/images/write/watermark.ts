import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { readDataAddress } from '../../../engines/common/addresses.ts'
import { type Size, scaledSize } from '../../../engines/common/rectangle.ts'
import { decodePicture } from '../../../engines/pictures/decode.ts'
import { renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { readVectorGraphic, renderVectorGraphic } from '../../../engines/pictures/svg/index.ts'
import { element, serialize } from '../../../engines/pictures/svg/tree.ts'
import { shareOf } from '../crop.ts'
import type { Edits } from '../edit-options.ts'

/** Height of a line, and the distance from the picture's edges, by the size of the letters. */
const LINE = 1.4
const MARGIN = 0.5

/** Size of the letters in which a line is measured. */
const MEASURED = 100

/** Distance of a logo from the picture's edges, by its width. */
const LOGO_MARGIN = 0.05

/**
 * A text or a logo to lay over a picture; the text is white with a dark edge, so that it is seen on light and dark.
 * @param size the picture's, in pixels
 * @returns an overlay as sharp takes it
 * @throws JobFailure unsupported_input if the logo cannot be read
 */
export async function watermarkOver(
  size: Size,
  mark: Edits['watermark'],
): Promise<{ input: Buffer; raw: Size & { channels: 4 }; left?: number; top?: number; tile?: boolean }> {
  const { position, repeat } = mark
  const { margin, ...line } = mark.picture ? await logo(size, mark, mark.picture) : await letters(size, mark)
  const [width, height] = [Math.min(line.width, size.width), Math.min(line.height, size.height)]
  const raw = { width, height, channels: 4 } as const
  const whole = { width: line.width, height: line.height, channels: 4 } as const
  const input = await sharp(line.data, { raw: whole })
    .extract({ left: 0, top: 0, width, height })
    .raw()
    .toBuffer()
  if (repeat) return { input, raw, tile: true }
  const { x, y } = shareOf(position)
  const at = (space: number, share: number) => {
    const edge = Math.min(margin, space)
    return Math.round(share === 0.5 ? space / 2 : share === 0 ? edge : space - edge)
  }
  return { input, raw, left: at(size.width - width, x), top: at(size.height - height, y) }
}

type Mark = Size & { data: Buffer; margin: number }

async function letters(size: Size, { text = '', opacity, size: percent }: Edits['watermark']): Promise<Mark> {
  const measured = await draw(text, MEASURED, 1)
  const wanted = (size.width * percent) / 100
  const most = Math.min(
    wanted / measured.width,
    size.width / (measured.width + MEASURED),
    size.height / (MEASURED * 2),
  )
  const height = Math.max(4, MEASURED * most)
  return { ...(await draw(text, height, opacity / 100)), margin: Math.round(height * MARGIN) }
}

async function logo(
  size: Size,
  { opacity, size: percent }: Edits['watermark'],
  address: string,
): Promise<Mark> {
  const file = readDataAddress(address)?.bytes ?? Buffer.alloc(0)
  const picture = await decodePicture(file)
    .then(source => openPicture(source))
    .catch(() => undefined)
  if (!picture) throw new JobFailure('jobs.unsupported_input', message('picture.logo_unreadable'))
  const wanted = Math.min((size.width * percent) / 100 / picture.width, size.height / picture.height)
  const { data, ...drawn } = await renderPicture(picture, scaledSize(picture, wanted), () => {})
  const rgba = await sharp(data, { raw: drawn }).ensureAlpha().raw().toBuffer()
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = Math.round((rgba[at]! * opacity) / 100)
  return { ...drawn, data: rgba, margin: Math.round(drawn.width * LOGO_MARGIN) }
}

/** A line of text on a clear ground, with nothing around it but the room of a line. */
async function draw(text: string, letters: number, opacity: number): Promise<Size & { data: Buffer }> {
  const height = Math.ceil(letters * LINE)
  const width = Math.ceil(letters * (text.length + 2))
  const line = element(
    'text',
    {
      x: letters,
      y: letters,
      'font-size': letters,
      'font-family': 'sans-serif',
      fill: '#fff',
      stroke: '#000',
      'stroke-width': letters * 0.06,
      'stroke-linejoin': 'round',
      'paint-order': 'stroke',
      opacity,
    },
    [text],
  )
  const markup = serialize(element('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height }, [line]))
  const vectorGraphic = await readVectorGraphic(Buffer.from(markup))
  const pixels = Buffer.from(renderVectorGraphic(vectorGraphic, width, height, []))
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .trim({ background: '#0000', threshold: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
