/** What a conversion will not keep of a file, known before it runs. */
import type { OptionField } from '../../../../service/convert/catalogue/options.ts'
import { inside, shownValue, type Values } from '../../../forms/schema.ts'
import { text } from '../../../messages/text.ts'
import type { Schemas } from '../../../options/schemas.ts'
import { choiceOfRow, type Row } from './row.ts'

/** Pictures whose samples have 8 bits at most, and those that hold PQ and HLG. */
const shallow = new Set(['bmp', 'gif', 'icns', 'ico', 'jpg', 'qoi', 'tga', 'webp'])
const brighter = new Set(['avif', 'jxl'])

/** Whether a file has anything that some formats cannot hold. */
export const mayLose = ({ file }: Row): boolean => {
  const { alpha, audioTracks = 1, frames = 1, hdr, hdrCurve, highBitDepth, motionVideo } = file?.facts ?? {}
  return Boolean(alpha || hdr || hdrCurve || highBitDepth || motionVideo || frames > 1 || audioTracks > 1)
}

/** In words, from the facts about the file and the options of its conversion: what these can choose is kept in part. */
export function lossesOf(row: Row, schema: Schemas[string] | undefined): string[] {
  const { alpha, audioTracks = 1, frames = 1, ...facts } = row.file?.facts ?? {}
  const choice = choiceOfRow(row, row.target)
  if (typeof schema !== 'object' || !choice) return []
  const { audio, ...properties } = schema.properties
  const sound = audio && 'properties' in audio ? audio.properties : {}
  const chosen = (key: string, of = properties, values: Values = row.options): unknown => {
    const field = of[key] as OptionField | undefined
    return field && shownValue(field, key, values)
  }
  const isPicture = choice.category === 'images' && choice.target !== 'mp4'
  const keepsHdr = (facts.hdr || brighter.has(choice.target)) && chosen('hdr') === 'keep'
  const track = chosen('track', sound, inside(row.options, 'audio'))
  return [
    ...(frames > 1 && chosen('frame') !== undefined ? [text('convert.losesFrames')] : []),
    ...(alpha && chosen('background') ? [text('convert.losesAlpha')] : []),
    ...(facts.highBitDepth && isPicture && (shallow.has(choice.target) || chosen('bitDepth') === '8')
      ? [text('convert.losesDepth')]
      : []),
    ...((facts.hdr || facts.hdrCurve) && isPicture && !keepsHdr ? [text('convert.losesHdr')] : []),
    ...(facts.motionVideo && isPicture && row.format !== row.target && chosen('motion') !== 'film'
      ? [text('convert.losesFilm')]
      : []),
    ...(audioTracks > 1 && track !== undefined
      ? [text('convert.losesTracks', { left: audioTracks - 1 })]
      : []),
  ]
}
