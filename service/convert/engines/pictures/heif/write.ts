/** Writes HEIC pictures (ISO/IEC 23008-12, annex B): x265 codes them, and its stream and configuration are taken out of an MP4. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { boxes, findBox, u32 } from '../../common/iso-boxes.ts'
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'
import { add, auxC, emptyContents, fileOf, ispe, type NewItem, nclx, pixi } from '../avif/items-write.ts'
import { isOpaque, type Rows } from '../pixels.ts'
import { sharp } from '../sharp/load.ts'

/** Of what x265 codes, in pixels. */
const LEAST_EDGE = 16

const ALPHA = 'urn:mpeg:hevc:2015:auxid:1\0'

/**
 * @param quality 1–100
 * @throws JobFailure engine_missing if ffmpeg lacks x265, and what running it throws
 */
export async function writeHeic(rows: Rows, quality: number, path: string): Promise<void> {
  if (!(await ffmpeg()).encoders.has('libx265'))
    throw new JobFailure('jobs.engine_missing', message('heic.encoder_missing'))
  const { width, height } = rows
  const contents = emptyContents('heic')
  // Samples of half the chroma have even edges; what is too much is cut off.
  const edgeOf = (edge: number) => Math.max(LEAST_EDGE, edge + (edge % 2))
  const coded = await extended(rows, edgeOf(width), edgeOf(height))
  const shift = [(width - coded.width) >>> 0, 2, (height - coded.height) >>> 0, 2]
  const cut = u32(width, 1, height, 1, ...shift)
  const picture = async (format: 'yuv420p' | 'gray', own: NewItem['properties'][number]) => {
    const { configuration, data } = await encode(coded, format, quality, path)
    return add(contents, 'hvc1', data, [
      { type: 'hvcC', body: configuration },
      ispe(coded.width, coded.height),
      format === 'gray' ? pixi(8) : pixi(8, 8, 8),
      own,
      ...(coded.width > width || coded.height > height ? [{ type: 'clap', body: cut }] : []),
    ])
  }
  // sRGB as BT.601 in full range.
  const shown = await picture('yuv420p', nclx(1, 13, 6))
  if (rows.channels === 4 && !isOpaque(rows.data)) {
    const alpha = await picture('gray', auxC(ALPHA))
    alpha.references.push(['auxl', [shown]])
  }
  await writeFile(path, fileOf(contents))
}

/** With more columns and rows, which repeat the last ones. */
async function extended({ data, ...raw }: Rows, width: number, height: number): Promise<Rows> {
  const [right, bottom] = [width - raw.width, height - raw.height]
  if (right === 0 && bottom === 0) return { data, ...raw }
  const wider = sharp(data, { raw }).extend({ right, bottom, extendWith: 'copy' })
  return { data: await wider.raw().toBuffer(), width, height, channels: raw.channels }
}

/** One coded picture. */
async function encode(
  { data, width, height, channels }: Rows,
  format: 'yuv420p' | 'gray',
  quality: number,
  path: string,
): Promise<{ configuration: Uint8Array; data: Uint8Array }> {
  const video = `${path}.mp4`
  const filters = [
    ...(format === 'gray' ? ['alphaextract'] : []),
    'scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt601:out_range=full',
    `format=${format}`,
  ]
  // As libheif does; errors of transparency show at every edge.
  const crf = Math.max(0, (100 - quality) / 2 - (format === 'gray' ? 6 : 0))
  try {
    await encodeFrames(
      {
        video: { width, height, pixelFormat: channels === 4 ? 'rgba' : 'rgb24', fps: 25 },
        output: video,
        options: [
          ...['-vf', filters.join(), '-c:v', 'libx265', '-preset', 'medium'],
          ...['-tune', 'ssim', '-crf', String(crf)],
          ...['-x265-params', 'log-level=error:keyint=1:info=0', '-color_range', 'pc', '-tag:v', 'hvc1'],
        ],
      },
      [data],
    )
    const file = await readFile(video)
    const at = file.indexOf('hvcC', 0, 'latin1') - 4
    const [configuration] = boxes(file.subarray(at, at + file.readUInt32BE(at)))
    const sample = findBox(file, 'mdat')
    if (!configuration || !sample) throw new JobFailure('jobs.engine_crashed')
    return { configuration: configuration.body, data: sample }
  } finally {
    await rm(video, { force: true })
  }
}
