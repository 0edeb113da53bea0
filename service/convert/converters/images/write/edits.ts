/**
 * Changes that people ask for, on the upright picture and in this order: crop, rotate, flip, trim, resize, brightness and the like,
 * watermark, border.
 * A new one is an option in `edit-options.ts` and an entry of `passes`.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withDefaults } from '../../../catalogue/options.ts'
import type { Task } from '../../../catalogue/task.ts'
import type { Size } from '../../../engines/common/rectangle.ts'
import { type Area, areaBefore, type Moves, moved } from '../../../engines/pictures/moves.ts'
import { type Animation, type Pixels, withAlpha } from '../../../engines/pictures/pixels.ts'
import { prepare, renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import type { Step } from '../../../engines/pictures/sharp/encodings.ts'
import { asFarAsReadable, type Encoded, openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { shaped, warnedArea } from '../crop.ts'
import { type Edits, editOptions } from '../edit-options.ts'
import { DAMAGED } from './damage.ts'
import { type ImageSettings, targetSize } from './settings.ts'
import { watermarkOver } from './watermark.ts'

type Context = Pick<Task, 'folder' | 'target' | 'warn'>

/** What happens to the pixels; undefined if nothing does. */
type Pass = (
  settings: ImageSettings & { edits: Edits },
  size: Size,
  task: Context,
) => Promise<Step | undefined>

const crop: Pass = async (settings, size, task) => {
  const area = warnedArea(settings.edits.crop, size, task)
  if (area.width === size.width && area.height === size.height) return undefined
  return picture => picture.extract(area)
}

const TURNS = { '0': '', '90': 'tx', '180': 'xy', '270': 'ty' } as const
const FLIPS = { none: '', horizontal: 'x', vertical: 'y' } as const

const movesOf = ({ rotate, flip }: Edits): Moves => TURNS[rotate] + FLIPS[flip]

const turn: Pass = async ({ edits }) =>
  movesOf(edits) ? picture => moved(picture, movesOf(edits)) : undefined

/** What fills an exact size, of which the rest is cut off. */
const cover: Pass = async ({ resize }, size) => {
  const area = coveringOf(resize, size)
  return area && (picture => picture.extract(area))
}

function coveringOf(resize: ImageSettings['resize'], size: Size): Area | undefined {
  if (!resize || !('fit' in resize) || resize.fit !== 'cover') return undefined
  const { width = size.width, height = size.height } = resize
  return shaped(size, width / height, 'center')
}

/** Scales now what later passes need at its final size. */
const scale: Pass = async (settings, size) => {
  const { edits } = settings
  const isFinal = edits.sharpen || hasMark(edits) || edits.border.width > 0
  const to = isFinal ? targetSize(size, settings.resize) : undefined
  return to && (picture => picture.resize({ ...to, fit: 'fill' }))
}

const SEPIA = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
] as [[number, number, number], [number, number, number], [number, number, number]]

const adjust: Pass = async ({ edits: { adjust: wanted, tone, sharpen } }) => {
  const [brightness, contrast, saturation] = [wanted.brightness, wanted.contrast, wanted.saturation].map(
    percent => percent / 100,
  ) as [number, number, number]
  if ([brightness, contrast, saturation].every(one => one === 1) && tone === 'all' && !sharpen)
    return undefined
  return picture => {
    let changed = picture.toColourspace('srgb')
    if (brightness !== 1 || saturation !== 1) changed = changed.modulate({ brightness, saturation })
    // Around the middle grey.
    if (contrast !== 1) changed = changed.linear(contrast, 128 * (1 - contrast))
    if (tone === 'grey') changed = changed.greyscale()
    if (tone === 'sepia') changed = changed.recomb(SEPIA)
    return sharpen ? changed.sharpen() : changed
  }
}

const hasMark = ({ watermark: { text, picture } }: Edits) => Boolean(text || picture)

/** Around a picture that has its final size. */
const frame: Pass = async ({ edits: { border } }) => {
  const { width, colour } = border
  if (width === 0) return undefined
  return picture =>
    picture.extend({ top: width, bottom: width, left: width, right: width, background: colour })
}

/** libvips trims no picture of less than 3 pixels an edge. */
const trim: Pass = async ({ edits }, { width, height }) =>
  edits.trim && Math.min(width, height) >= 3 ? picture => picture.trim() : undefined

const watermark: Pass = async ({ edits }, size) => {
  if (!hasMark(edits)) return undefined
  const overlay = await watermarkOver(size, edits.watermark)
  return picture => picture.composite([overlay])
}

/** In the order in which they are made; those that change colours make them ordinary ones of 8 bits. */
const passes: readonly { pass: Pass; colours?: true }[] = [
  { pass: crop },
  { pass: turn },
  { pass: trim },
  { pass: cover },
  { pass: scale },
  { pass: adjust, colours: true },
  { pass: watermark, colours: true },
  { pass: frame, colours: true },
]

/** Whether the picture is cut or turned. */
const isMoved = ({ crop: area, rotate, flip }: Edits): boolean =>
  [area.left, area.top, area.width, area.height].some(one => one !== undefined) ||
  area.aspect !== 'free' ||
  rotate !== '0' ||
  flip !== 'none'

/** How the options are that change nothing. */
const usual = withDefaults(editOptions, {})

/** Whether its pixels change in another way: another option of `edit-options.ts` is not its default. */
export const isPainted = (edits: Edits): boolean =>
  hasMark(edits) ||
  Object.entries(usual).some(
    ([key, value]) =>
      !['crop', 'rotate', 'flip', 'watermark'].includes(key) &&
      !isDeepStrictEqual(edits[key as keyof Edits], value),
  )

/** Whether a gain map would no longer fit. */
export const hasOtherEdges = ({ trim: isTrimmed, border }: Edits): boolean => isTrimmed || border.width > 0

/** What remains to be done with an edited picture: one with a border has its size. */
export const afterEdits = (settings: ImageSettings): ImageSettings =>
  settings.edits && settings.edits.border.width > 0 ? { ...settings, resize: null } : settings

/** Whether any edit is asked for. */
export const hasEdits = ({ edits, resize }: ImageSettings): boolean =>
  edits !== undefined &&
  (isMoved(edits) || isPainted(edits) || (resize !== null && 'fit' in resize && resize.fit === 'cover'))

/**
 * The part of an upright picture that is kept, and how it is moved then.
 * @throws JobFailure unsupported_input if a crop is outside of it
 */
export function placementOf({ edits, resize }: ImageSettings, size: Size, task: Pick<Task, 'warn'>) {
  const moves = edits ? movesOf(edits) : ''
  const whole = { left: 0, top: 0, width: size.width, height: size.height }
  const area = edits ? warnedArea(edits.crop, size, task) : whole
  const after = moves.includes('t') ? { width: area.height, height: area.width } : area
  const covering = edits && coveringOf(resize, after)
  const part = covering ? areaBefore(covering, after, moves) : { ...area, left: 0, top: 0 }
  return { area: { ...part, left: area.left + part.left, top: area.top + part.top }, moves }
}

/** Whether a picture is cut or turned, and nothing else. */
export const isOnlyMoved = ({ edits, resize, smart, most }: ImageSettings): boolean =>
  edits !== undefined && !resize && !smart && most === undefined && isMoved(edits) && !isPainted(edits)

/**
 * A picture with the edits of the settings; the same one without any.
 * @throws JobFailure unsupported_input if a crop is outside of it; corrupt_input, too_large
 */
export async function edited(
  task: Context,
  source: Pixels | Encoded,
  settings: ImageSettings,
): Promise<Pixels | Encoded> {
  const { edits } = settings
  if (!edits || !hasEdits(settings)) return source
  const keepsGreyProfile = settings.metadata.keep !== 'none'
  let picture = await openPicture(source, { keepsGreyProfile })
  let result: Pixels | Encoded = source
  for (const [index, { pass, colours }] of passes.entries()) {
    const step = await pass({ ...settings, edits }, picture, task)
    if (!step) continue
    // The format of libvips itself, which keeps everything and is read at once.
    const path = join(task.folder, `edited-${index}.v`)
    const [before, target] = [picture, colours ? 'webp' : 'tiff'] as const
    const light = task.target === 'exr' && !colours
    const kept = { smart: null, keepsProfile: keepsGreyProfile, light }
    const write = (lenient: boolean) => step(prepare(before, target, kept, lenient)).toFile(path)
    await asFarAsReadable(picture, write, () => task.warn(DAMAGED))
    result = {
      encoded: path,
      chromaSubsampling420: picture.chromaSubsampling420 && pass !== scale,
      ownProfile: picture.ownProfile,
      strict: true,
    }
    picture = await openPicture(result, { keepsGreyProfile })
  }
  return result
}

/** An animation of which every frame has the edits of the settings. */
export async function editedAnimation(
  task: Context,
  animation: Animation,
  settings: ImageSettings,
): Promise<Animation> {
  if (!hasEdits(settings)) return animation
  const { width, height } = animation
  const quiet = { ...task, warn: () => {} }
  const draw = async (data: Uint8Array, context: Context) => {
    const source = await edited(context, { data, width, height, channels: 4 }, settings)
    const { channels, ...frame } = await renderPicture(await openPicture(source), undefined, () => {})
    return channels === 4 ? frame : { ...frame, data: withAlpha(frame.data) }
  }
  const blank = await draw(new Uint8Array(width * height * 4), task)
  async function* frames() {
    for await (const frame of animation.frames) yield (await draw(frame, quiet)).data
  }
  return { ...animation, width: blank.width, height: blank.height, frames: frames() }
}
