import { rename, rm, stat } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type Size, scaledSize } from '../../common/rectangle.ts'
import { encodePicture } from './encode.ts'
import type { Encoder, EncodeSettings } from './encodings.ts'
import type { Picture } from './picture.ts'

/** Below this quality fewer pixels look better than more loss. */
const LOWEST = 30

/** A result of at least this share of what is allowed is good enough. */
const ENOUGH = 0.85

/** What an attempt aims at, since bytes follow quality only roughly. */
const AIM = 0.93

/** Attempts at a quality for each size in pixels, and sizes in pixels. */
const MOST = { qualities: 5, sizes: 6 }

/** A smaller picture is aimed at this share of what is allowed, so that it gets more than the lowest quality. PNG has no quality. */
const ROOM = { lossy: 0.5, png: AIM }

/**
 * Encodes a picture into `path` with the best quality, up to that of the settings, at which the file has at most `most`
 * bytes; and with fewer pixels, if no quality is low enough.
 * @returns the size in pixels, if it is less than asked for
 * @throws JobFailure as `encodePicture`, and unsupported_input if not even a tiny picture has so few bytes
 */
export async function encodeToSize(
  picture: Picture,
  target: Encoder,
  settings: EncodeSettings,
  path: string,
  onDamage: () => void,
  most: number,
): Promise<Size | undefined> {
  await encodePicture(picture, target, settings, path, onDamage)
  const whole = (await stat(path)).size
  if (whole <= most) return undefined
  const full = settings.size ?? { width: picture.width, height: picture.height }
  const highest = Math.max(LOWEST + 1, settings.quality ?? 100)
  const candidate = `${path}.fit`
  /** Bytes of the picture at a quality; kept if they are few enough. */
  const attempt = async (quality: number, size: EncodeSettings['size']) => {
    const lossy = { ...settings, size, quality, smart: settings.smart && ('lossy' as const) }
    await encodePicture(picture, target, { ...lossy, palette: true }, candidate, () => {})
    const { size: bytes } = await stat(candidate)
    if (bytes <= most) await rename(candidate, path)
    return bytes
  }
  try {
    let scale = 1
    for (let sizes = 0; sizes < MOST.sizes; sizes++) {
      const smaller = scale < 1 ? scaledSize(full, scale) : undefined
      const size = smaller ?? settings.size
      const low = { quality: LOWEST, bytes: await attempt(LOWEST, size) }
      if (low.bytes > most) {
        scale *= Math.max(0.1, Math.sqrt((most / low.bytes) * (target === 'png' ? ROOM.png : ROOM.lossy)))
        continue
      }
      if (target === 'png') return smaller
      const high = { quality: highest, bytes: whole * scale * scale }
      for (let tries = 0; tries < MOST.qualities && low.bytes < most * ENOUGH; tries++) {
        const quality = between(low, high, most * AIM)
        if (quality === undefined) break
        const bytes = await attempt(quality, size)
        Object.assign(bytes <= most ? low : high, { quality, bytes })
      }
      return smaller
    }
  } finally {
    await rm(candidate, { force: true })
  }
  throw new JobFailure(
    'jobs.unsupported_input',
    message('picture.too_small', { kilobytes: Math.floor(most / 1000) }),
  )
}

interface Point {
  quality: number
  bytes: number
}

/** A quality between two others at which to expect so many bytes, which grow exponentially; undefined if there is none. */
function between(low: Point, high: Point, bytes: number): number | undefined {
  if (high.quality - low.quality < 2) return undefined
  const share = Math.log(bytes / low.bytes) / Math.log(Math.max(high.bytes, low.bytes * 1.1) / low.bytes)
  const quality = Math.round(low.quality + (high.quality - low.quality) * share)
  return Math.min(high.quality - 1, Math.max(low.quality + 1, quality))
}
