/** Encoders of graphics cards: which of them work on this machine is only known by trying. */
import { JobFailure } from '../../../shared/errors.ts'
import type { EncoderTrial } from '../../catalogue/engines.ts'
import { encodeFrames } from '../../engines/media/ffmpeg/frames.ts'
import { ffmpeg } from '../../engines/media/ffmpeg/locate.ts'
import { type CodecName, codecs, type Encoder, onCard, qualityArguments } from './codecs.ts'

/** What is encoded for a trial: a second of a pattern that moves. */
const [WIDTH, HEIGHT, FRAMES] = [1280, 720, 30]
/** Seconds after which an encoder counts as one that does not work. */
const PATIENCE = 30

/** Frames a second that an encoder writes; null if it does not work here. */
async function trial({ name, arguments: given, uploads, ...encoder }: Encoder): Promise<number | null> {
  const pattern = Uint8Array.from(
    { length: WIDTH * (HEIGHT + FRAMES) },
    (_, at) => 128 + 90 * Math.sin((at % WIDTH) / 20) * Math.cos(Math.floor(at / WIDTH) / 15),
  )
  const frames = Array.from({ length: FRAMES }, (_, nth) =>
    pattern.subarray(nth * WIDTH, (nth + HEIGHT) * WIDTH),
  )
  const formed = [`format=${encoder.pixels?.[0] ?? 'yuv420p'}`, ...(uploads ? ['hwupload'] : [])]
  const started = performance.now()
  const options = [
    ...['-vf', formed.join(), '-c:v', name, ...given],
    ...qualityArguments({ name, arguments: given, ...encoder }, 70),
  ]
  try {
    const video = { width: WIDTH, height: HEIGHT, pixelFormat: 'gray', fps: FRAMES }
    await encodeFrames({ video, output: null, options }, frames, { seconds: PATIENCE })
  } catch (error) {
    if (error instanceof JobFailure) return null
    throw error
  }
  return FRAMES / ((performance.now() - started) / 1000)
}

/** The first encoder of a graphics card for a codec that this ffmpeg has and that works; undefined if there is none. */
export async function workingCard(codec: CodecName): Promise<string | undefined> {
  const { encoders } = await ffmpeg()
  for (const encoder of codecs[codec].encoders)
    if (encoder.hardware && encoders.has(encoder.name) && (await trial(encoder)) !== null) return encoder.name
  return undefined
}

/** Tries all encoders, of graphics cards and of software, of the codecs that cards know. */
export async function tryEncoders(): Promise<EncoderTrial[]> {
  const { encoders } = await ffmpeg()
  const names = (Object.keys(codecs) as CodecName[]).filter(onCard)
  const all = names.flatMap(name => codecs[name].encoders).filter(({ name }) => encoders.has(name))
  const found: EncoderTrial[] = []
  for (const encoder of all)
    found.push({ name: encoder.name, hardware: encoder.hardware === true, fps: await trial(encoder) })
  return found
}
