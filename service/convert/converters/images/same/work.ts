/** Makes a picture smaller in its own format. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { readHead } from '../../../../shared/picture-signatures.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { isApng } from '../../../engines/pictures/apng/read.ts'
import { alone, withGainMap } from '../../../engines/pictures/formats/gain-map.ts'
import { turnedJpeg } from '../../../engines/pictures/formats/jpeg-turn.ts'
import { withoutMetadata } from '../../../engines/pictures/formats/without-metadata.ts'
import { describedBlocks, hasPlace } from '../../../engines/pictures/metadata/description.ts'
import { withBlocks } from '../../../engines/pictures/metadata/insert.ts'
import { areaBefore, UPRIGHT } from '../../../engines/pictures/moves.ts'
import { openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { sniffKind } from '../../../engines/pictures/sharp/sniff.ts'
import { type ImageOptions, USUAL_QUALITY } from '../options.ts'
import { convert as convertRaster } from '../raster/work.ts'
import { DAMAGED } from '../write/damage.ts'
import { hasEdits, isOnlyMoved, placementOf } from '../write/edits.ts'
import { gainMapOf } from '../write/gain-map.ts'
import { blocksOf, metadataOf } from '../write/metadata.ts'
import { imageSettings } from '../write/settings.ts'
import { outputPath } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  let damaged = false
  const warn: Task['warn'] = warning => {
    if (warning === DAMAGED) damaged = true
    task.warn(warning)
  }
  const [moved] = task.target === 'jpg' ? await writeMoved(task) : []
  if (moved) return [moved]
  const animated = task.target === 'png' && (await isApng(task.input.path))
  const outputs = await convertRaster({ ...task, warn, target: animated ? 'apng' : task.target })
  const [output] = outputs
  if (!output || damaged) return outputs
  await putOriginal(task, output.path)
  // An animated PNG has the same suffix as any other.
  return [{ ...output, name: `${task.input.stem}.${task.target}` }]
}

/** Replaces a result that is no smaller by the original, without those of its metadata that are to be removed. */
async function putOriginal(task: Task<ImageOptions>, path: string): Promise<void> {
  const { input, target, options } = task
  const settings = imageSettings({ options, warn: () => {} })
  const { keep, description } = settings.metadata
  const isSaid = Object.values(description).some(Boolean)
  const isChanged = isSaid || hasEdits(settings) || settings.hdr === 'sdr'
  if (isChanged || (await stat(path)).size < input.bytes) return
  // Animated AVIF is the only format that sharp cannot open; its colours are those of every video.
  const [before, after] = await Promise.all(
    [input.path, path].map(encoded => openPicture({ encoded }).catch(() => undefined)),
  )
  const resized = before && (before.width !== after?.width || before.height !== after.height)
  if (resized || (!before && options.resize.enabled)) return
  // CMYK and Lab, which not every viewer shows correctly.
  if (before && before.model !== 'rgb' && before.model !== 'grey') return
  const blocks = before && (await blocksOf({ encoded: input.path }))
  const isWhole = keep === 'all' || (keep === 'no-place' && !(blocks && hasPlace(blocks)))
  // Without metadata, nothing would say where the brighter rendition begins.
  if (before?.metadata.gainMap && !isWhole) return
  const file = await readFile(input.path)
  const { orientation } = before?.metadata ?? {}
  const original = isWhole
    ? file
    : keep === 'none'
      ? withoutMetadata(file, target, orientation)
      : blocks && target !== 'avif'
        ? withBlocks(file, describedBlocks(blocks, settings.metadata, orientation))
        : undefined
  if (!original || original.length > (await stat(path)).size) return
  await writeFile(path, original)
  task.warn(original.equals(file) ? message('same.kept') : message('same.kept_pixels'))
}

/** A JPEG that is only turned, mirrored or cut between its blocks keeps their coefficients, unless another quality is asked for. */
async function writeMoved(task: Task<ImageOptions>): Promise<Output[]> {
  const { path } = task.input
  const settings = imageSettings({ options: task.options, warn: () => {} })
  const isAsked = isOnlyMoved(settings) && settings.quality === USUAL_QUALITY
  if (!isAsked || sniffKind(await readHead(path)) !== 'jpg') return []
  const picture = await openPicture({ encoded: path })
  const { metadata, model } = picture
  if (model !== 'rgb' && model !== 'grey') return []
  const { orientation = 1 } = metadata
  const warnings: Message[] = []
  const { area, moves } = placementOf(settings, picture, { warn: warning => warnings.push(warning) })
  const upright = UPRIGHT[orientation] ?? ''
  const file = turnedJpeg(await readFile(path), upright + moves, areaBefore(area, picture, upright))
  if (!file) return []
  const turned = alone(file)
  for (const warning of warnings) task.warn(warning)
  const stripped = settings.metadata.keep === 'none' ? (withoutMetadata(turned, 'jpg') ?? turned) : turned
  const blocks = await metadataOf({ encoded: path }, settings)
  const described = blocks ? withBlocks(stripped, blocks) : stripped
  const gainMap = await gainMapOf(task, { encoded: path }, settings)
  const output = outputPath(task)
  await writeFile(output, gainMap ? withGainMap(described, gainMap) : described)
  return [{ path: output }]
}
