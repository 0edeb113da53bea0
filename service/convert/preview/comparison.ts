/** Compares a file with the result of its conversion. */
import { rename, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import type { Converter } from '../catalogue/converter.ts'
import { isFormatKey, splitName } from '../catalogue/formats.ts'
import { type Comparison, needsOffice, PREVIEW_EDGE } from '../catalogue/preview.ts'
import { runConverter } from '../catalogue/run.ts'
import type { Excerpt, Options, Output, Task, TaskInput } from '../catalogue/task.ts'
import { wholePeaks } from '../converters/audio/sounds.ts'
import images from '../converters/images/index.ts'
import { converters } from '../converters/index.ts'
import { sharpFailure } from '../engines/pictures/sharp/failure.ts'
import { named, pictureSide, type Side, sideOf, soundPath, soundSide } from './content.ts'
import { isVideo } from './frames.ts'
import { keptSideOf, smallOf } from './kept.ts'
import { limitedTo } from './limited.ts'
import { pageOf } from './pages.ts'
import { isPicture } from './pictures.ts'
import type { UprightPicture } from './shown.ts'
import { type Luma, similarity } from './similarity.ts'

/** Targets that browsers show as they are. */
const shownAsIs = new Set(['avif', 'jpg', 'png', 'webp'])

/** Options that are about the pixels of the file itself, and so say nothing about a copy. */
const ofPixels = new Set(['density', 'frame', 'pages', 'resize', 'targetSize'])

/**
 * Shows what becomes of a picture sooner than a conversion can: of a copy that is no larger than what is looked at. Only the picture
 * of the result: neither its size nor its likeness are those of the whole. @throws JobFailure
 */
async function draft(
  { input, folder, shown }: { input: TaskInput; folder: string; shown: string },
  { converter: { target }, options }: { converter: Converter; options: Options },
): Promise<Comparison> {
  const converter = images.find(each => each.source === 'png' && each.target === target)
  if (!converter || !shownAsIs.has(target) || !isPicture(input.format))
    throw new JobFailure('jobs.unsupported_input')
  const path = join(folder, 'small.png')
  const { size } = await (await smallOf(input, folder)).clone().png({ compressionLevel: 0 }).toFile(path)
  const small: TaskInput = { path, name: 'small.png', stem: 'small', bytes: size, format: 'png' }
  const known = Object.fromEntries(
    Object.entries(options).filter(([name]) => name in converter.options && !ofPixels.has(name)),
  )
  const [output] = await runConverter(converter, small, known, { folder, converters })
  if (!output) throw new JobFailure('jobs.corrupt_input')
  const file = `after${extname(output.path)}`
  await rename(output.path, join(shown, file))
  const after = { kind: 'picture', file, width: null, height: null } as const
  return { before: null, after, bytes: null, isEstimate: true, ssim: null }
}

interface Request {
  input: TaskInput
  conversion?: { converter: Converter; options: Options }
  /** Whether a smaller copy of a picture is converted, which is sooner done. */
  isDraft?: boolean
  /** The result of an earlier conversion. */
  result?: TaskInput
  folder: string
  shown: string
  warn: Task['warn']
}

/**
 * Shows a file, and beside it an existing result or the result of converting it or a representative part.
 * @throws JobFailure if neither can be shown
 */
export async function compare({ conversion, result, isDraft, ...request }: Request): Promise<Comparison> {
  const { input, folder, shown } = request
  const before = { folder, shown, name: 'before' } as const
  if (conversion && isDraft) return draft(request, conversion)
  if (conversion && conversion.converter.engine !== 'speech') return quick(request, conversion)
  // For a media file that became text, the audio is what can be compared.
  const heard =
    isVideo(input.format) && (conversion || (result && !isVideo(result.format) && !isPicture(result.format)))
  const own = heard ? await soundSide(input, before) : await attempt(() => sideOf(input, before), !result)
  if (!result && own?.source && own.look.kind === 'sound') {
    const whole = await wholePeaks(own.source, join(folder, 'whole.wav'))
    if (whole) own.look.whole = whole
  }
  const other = result ? await sideOf(result, { folder, shown, name: 'after' }) : null
  return {
    before: own?.look ?? null,
    after: other?.look ?? null,
    bytes: result?.bytes ?? null,
    isEstimate: false,
    ssim: await ssimOf(own, other),
  }
}

async function quick(
  { input, folder, shown, warn }: Omit<Request, 'conversion' | 'result'>,
  { converter, options }: { converter: Converter; options: Options },
): Promise<Comparison> {
  const limited = await limitedTo(converter, input, options)
  // Of a size for the whole file, a part is given its share, which is only roughly what it will need.
  const warnOf: typeof warn = warning => (limited.isPart && warning.key === 'same.over_size') || warn(warning)
  const outputs = await runConverter(converter, input, limited.options, { folder, converters, warn: warnOf })
  const first = await resultOf(outputs, converter)
  const sizes = await Promise.all(outputs.map(async ({ path }) => (await stat(path)).size))
  const before = await attempt(() => beforeSide(input, limited, { folder, shown }), false)
  const after = await attempt(() => sideOf(first, { folder, shown, name: 'after' }), false)
  return {
    before: before?.look ?? null,
    after: after?.look ?? null,
    bytes: limited.whole(sizes.reduce((sum, size) => sum + size, 0)),
    isEstimate: limited.isPart,
    ssim: await ssimOf(before, after),
  }
}

async function beforeSide(
  input: TaskInput,
  { sound, page, options }: Excerpt,
  { folder, shown }: { folder: string; shown: string },
): Promise<Side | null> {
  const place = { folder, shown, name: 'before' } as const
  if (sound) return { look: named(await sound(soundPath(place))) }
  if (page !== undefined) {
    const password = typeof options.password === 'string' ? options.password : undefined
    return pictureSide(await pageOf(input.path, page, { edge: PREVIEW_EDGE, folder }, password), place)
  }
  // The same engine would lay out both sides, which shows no difference and takes as long again.
  if (needsOffice(input.format)) return null
  return keptSideOf(input, place)
}

/** The first output as a file to look at. */
async function resultOf(outputs: readonly Output[], { target }: Converter): Promise<TaskInput> {
  const [output] = outputs
  if (!output) throw new JobFailure('jobs.corrupt_input')
  const { path, name = path } = output
  const found = splitName(name).format
  const format = target === 'pdfa' || isFormatKey(target) ? target : (found ?? target)
  return { path, name, stem: '', bytes: (await stat(path)).size, format }
}

/** What cannot be shown is left out, unless there is nothing else to show. */
async function attempt<T>(make: () => Promise<T>, isNeeded: boolean): Promise<T | null> {
  try {
    return await make()
  } catch (error) {
    if (isNeeded || !(error instanceof JobFailure)) throw error
    return null
  }
}

/** Above this difference in aspect ratio, two pictures are not considered the same. */
const SHAPE_TOLERANCE = 0.01

/**
 * Similarity of two pictures: in their own pixels if they have the same size (the middle of large ones), otherwise scaled.
 */
async function ssimOf(before: Side | null, after: Side | null): Promise<number | null> {
  const [a, b] = [before?.shown, after?.shown]
  if (!a || !b || !a.isTrueSize || !b.isTrueSize) return null
  const shape = a.width / a.height / (b.width / b.height)
  if (Math.abs(shape - 1) > SHAPE_TOLERANCE) return null
  const size =
    a.width === b.width && a.height === b.height
      ? undefined
      : { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) }
  const [lumaOfA, lumaOfB] = await Promise.all([lumaOf(a, size), lumaOf(b, size)])
  return similarity(lumaOfA, lumaOfB)
}

/** Of a picture that is kept for the next comparison, its brightness is too. */
const lumas = new WeakMap<UprightPicture, { of: string; luma: Promise<Luma> }>()

function lumaOf(shown: UprightPicture, size: { width: number; height: number } | undefined): Promise<Luma> {
  const of = JSON.stringify(size ?? null)
  const known = lumas.get(shown)
  if (known?.of === of) return known.luma
  const luma = readLuma(shown, size)
  lumas.set(shown, { of, luma })
  return luma
}

async function readLuma(
  { open, width, height }: UprightPicture,
  size: { width: number; height: number } | undefined,
): Promise<Luma> {
  const [fullWidth, fullHeight] = size ? [size.width, size.height] : [width, height]
  const part = {
    left: Math.max(0, Math.floor((fullWidth - PREVIEW_EDGE) / 2)),
    top: Math.max(0, Math.floor((fullHeight - PREVIEW_EDGE) / 2)),
    width: Math.min(PREVIEW_EDGE, fullWidth),
    height: Math.min(PREVIEW_EDGE, fullHeight),
  }
  try {
    const whole = size ? open().resize({ ...size, fit: 'fill' }) : open()
    const { data, info } = await whole
      .extract(part)
      // Grey, since a transparent part that has been filled is white or black, and looks different.
      .flatten({ background: '#808080' })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch (error) {
    throw sharpFailure(error)
  }
}
