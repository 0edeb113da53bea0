/** OpenEXR, as ffmpeg reads it: ImageMagick's build has eight bits, too few for the dark parts of linear light. */
import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { outputOf } from '../../media/ffmpeg/pipe.ts'
import type { Run } from '../../media/ffmpeg/run.ts'
import type { Encoded } from '../sharp/picture.ts'

/** Brings linear light to sRGB. */
const SHOWN = 'zscale=tin=linear:t=iec61966-2-1'
const OPAQUE = `${SHOWN},format=gbrp`
/**
 * Colours are held multiplied by their opacity in linear light, and are divided by it there. The filter would give the
 * opacity the range of videos on the way from floats to whole numbers, and ffmpeg itself is inexact on that to eight bits.
 */
const COLOURS = `unpremultiply=inplace=1,${SHOWN},format=gbrapf32le,format=gbrap16le,zscale,format=gbrap`
/** Grey becomes whole numbers first: ffmpeg spreads floats as the range of videos, and fills one plane of three. */
const GREY = `setparams=range=pc,format=gbrp16le,format=gbrpf32le,${OPAQUE}`

/** Names and descriptions of the channels in the header. */
const CHANNELS = /channels\0chlist\0.{4}((?:[^\0]+\0.{16})+)\0/s
const HEADER_BYTES = 65_536

/**
 * The layer to decode, and the filters for its channels. Blender and Photoshop write files of layers alone: of these it is the light
 * that Blender combines of all, or the first.
 */
async function layerOf(path: string): Promise<{ layer: string; filters: string }> {
  await using file = await open(path)
  const header = (await readAt(file, 0, HEADER_BYTES)).toString('latin1')
  const list = CHANNELS.exec(header)?.[1] ?? ''
  const names = Array.from(list.matchAll(/([^\0]+)\0.{16}/gs), ([, name]) => name!)
  const layers = names.flatMap(name => /^(?:(.+)\.)?[RY]$/.exec(name)?.[1] ?? [])
  const layer = names.some(name => /^[RY]$/.test(name))
    ? ''
    : (layers.find(name => /(^|\.)Combined$/.test(name)) ?? layers[0] ?? '')
  const has = (channel: string) => names.includes(layer ? `${layer}.${channel}` : channel)
  return { layer, filters: has('A') ? COLOURS : has('R') ? OPAQUE : GREY }
}

/** A PNG that is quickly made and read again. */
const WRITING = [
  ...['-frames:v', '1', '-c:v', 'png', '-compression_level', '1', '-pix_fmt', 'rgba'],
  ...['-f', 'image2pipe'],
]

/** Longest that a picture may take, in seconds. */
const SECONDS = 300

/** @throws JobFailure as `run` does */
export async function readExr(input: string): Promise<Encoded> {
  const { layer, filters } = await layerOf(input)
  const inputOptions = layer ? ['-layer', Buffer.from(layer, 'latin1').toString()] : []
  return decoded({ input, demuxer: 'exr_pipe', inputOptions, outputOptions: ['-vf', filters] })
}

/** The picture in a file of DDS, of which ffmpeg knows the textures that ImageMagick does not: BC4 and BC5. */
export const readTexture = (input: string): Promise<Encoded> => decoded({ input, demuxer: 'dds_pipe' })

async function decoded({
  outputOptions = [],
  ...run
}: Pick<Run, 'demuxer' | 'inputOptions' | 'outputOptions'> & { input: string }): Promise<Encoded> {
  const all = { ...run, outputOptions: [...outputOptions, ...WRITING], seconds: SECONDS }
  return { encoded: Buffer.concat(await Array.fromAsync(outputOf(all, () => {}))) }
}
