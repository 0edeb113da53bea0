import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { dataAddress, readDataAddress } from '../../common/addresses.ts'
import { megapixels } from '../../common/limits.ts'
import { sharp } from '../sharp/load.ts'
import { sniffKind } from '../sharp/sniff.ts'

/** One animation of a file, validated and ready for the renderer. */
export interface LottieDocument {
  /** Its name in a dotLottie package; empty for a plain file. */
  id: string
  /** Lottie JSON with every picture of the package embedded. */
  json: string
  /** Canvas size in pixels; may be fractional. */
  width: number
  height: number
  /** Frames per second. */
  fps: number
  /** Frames between the in and out points, at least 1. */
  frames: number
  /** True if properties are driven by expressions, which are scripts and are not run. */
  expressions: boolean
  /** Number of pictures that the animation refers to but does not contain. */
  missingImages: number
}

interface Layer {
  ty?: number
  refId?: string
}

interface Asset {
  id?: string
  /** File name or data URI of a picture. */
  p?: string
  /** Folder of the file named by `p`. */
  u?: string
  /** 1 if the picture is embedded. */
  e?: number
  /** Present if the asset is a composition. */
  layers?: Layer[]
}

interface Lottie {
  w?: unknown
  h?: unknown
  fr?: unknown
  ip?: unknown
  op?: unknown
  layers?: Layer[]
  assets?: Asset[]
}

const MIB = 2 ** 20
/** Real animations are below 5 MB; a larger file is not an animation, or is made to exhaust memory. */
const MAX_JSON_BYTES = 64 * MIB
const MAX_PACKAGE_BYTES = 128 * MIB
const MAX_ANIMATIONS = 100
/** The renderer reads nested shapes recursively, so depth is limited in advance. */
const MAX_DEPTH = 400
/** Number of layers after expanding every nested composition at each of its uses. */
const MAX_LAYERS = 200_000
/** Maximum nesting of compositions. */
const MAX_NESTING = 100
const MAX_IMAGE_PIXELS = 64_000_000

const corrupt = (reason: Message) => new JobFailure('jobs.corrupt_input', reason)

const tooLarge = (reason: Message) => new JobFailure('jobs.too_large', reason)

/**
 * Reads a Lottie JSON file, its gzip (Telegram's .tgs) or a dotLottie package (versions 1 and 2, every animation in the
 * manifest's order). Nothing outside the bytes is accessed, and nothing is rendered.
 * @throws JobFailure `jobs.corrupt_input` or `jobs.too_large`
 */
export async function readLottie(bytes: Uint8Array): Promise<LottieDocument[]> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readPackage(bytes)
  return [await readDocument(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes, '')]
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_JSON_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(message('lottie.too_large_unpacked', { megabytes: MAX_JSON_BYTES / MIB }))
    throw corrupt(message('lottie.damaged_compression'))
  }
}

/** dotLottie: https://dotlottie.io/spec — manifest.json, a/ID.json and i/ (version 2), animations/ and images/ (1). */
function readPackage(bytes: Uint8Array): Promise<LottieDocument[]> {
  const files = unzip(bytes)
  const animation = /^(?:a|animations)\/(.+)\.json$/
  const present = Object.keys(files).filter(name => animation.test(name))
  const listed = manifestIds(files['manifest.json']).flatMap(id =>
    [`a/${id}.json`, `animations/${id}.json`].filter(name => files[name]),
  )
  const names = [...new Set(listed.length > 0 ? listed : present.sort())]
  if (names.length === 0) throw corrupt(message('lottie.empty_archive'))
  if (names.length > MAX_ANIMATIONS)
    throw tooLarge(message('lottie.too_many_animations', { limit: MAX_ANIMATIONS }))
  return Promise.all(names.map(name => readDocument(files[name]!, animation.exec(name)?.[1] ?? '', files)))
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0
  try {
    return unzipSync(bytes, {
      filter: entry => {
        const wanted = /^(?:manifest\.json|(?:a|animations|i|images)\/.+)$/.test(entry.name)
        if (wanted) total += entry.originalSize
        if (total > MAX_PACKAGE_BYTES)
          throw tooLarge(message('lottie.too_large_archive', { megabytes: MAX_PACKAGE_BYTES / MIB }))
        return wanted
      },
    })
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupt(message('lottie.damaged_archive'))
  }
}

function manifestIds(bytes: Uint8Array | undefined): string[] {
  if (!bytes) return []
  const { animations } = parseJson(bytes) as { animations?: { id?: unknown }[] }
  if (!Array.isArray(animations)) return []
  return animations.map(entry => entry?.id).filter(id => typeof id === 'string')
}

async function readDocument(
  bytes: Uint8Array,
  id: string,
  files: Record<string, Uint8Array> = {},
): Promise<LottieDocument> {
  if (bytes.length > MAX_JSON_BYTES)
    throw tooLarge(message('lottie.too_large_file', { megabytes: MAX_JSON_BYTES / MIB }))
  const text = decode(bytes)
  checkDepth(text)
  const lottie = parse(text) as Lottie
  const { w, h, fr, ip = 0, op } = lottie
  if (!isPositive(w) || !isPositive(h)) throw corrupt(message('lottie.no_size'))
  if (!isPositive(fr) || fr > 1000) throw corrupt(message('lottie.no_frame_rate'))
  if (!isNumber(ip) || !isNumber(op)) throw corrupt(message('lottie.no_duration'))
  if (!Array.isArray(lottie.layers)) throw corrupt(message('lottie.no_layers'))
  checkLayers(lottie)
  const { missing, embedded } = await embedImages(lottie, files)
  return {
    id,
    json: embedded ? JSON.stringify(lottie) : text,
    width: w,
    height: h,
    fps: fr,
    // After Effects exports fractional points such as 900.00004, which mean the whole number.
    frames: Math.max(1, Math.round(op - ip)),
    expressions: /"x"\s*:\s*"(?:[^"\\]|\\.)*\$bm_rt/.test(text),
    missingImages: missing,
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isPositive = (value: unknown): value is number => isNumber(value) && value > 0

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw corrupt(message('lottie.damaged_text'))
  }
}

function parse(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw corrupt(message('lottie.not_json'))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw corrupt(message('lottie.not_an_object'))
  return value
}

const parseJson = (bytes: Uint8Array) => parse(decode(bytes))

/** Refuses JSON that is nested deeper than a renderer's stack allows. */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) throw tooLarge(message('lottie.too_deep'))
    } else if (code === 0x7d || code === 0x5d) depth--
  }
}

interface Extent {
  layers: number
  depth: number
}

/** Limits the expanded size of nested compositions; a small file can describe 10^9 layers that way. */
function checkLayers({ layers = [], assets = [] }: Lottie): void {
  if (!Array.isArray(assets)) throw corrupt(message('lottie.damaged_assets'))
  const compositions = new Map(
    assets.filter(asset => Array.isArray(asset?.layers)).map(asset => [asset.id, asset.layers ?? []]),
  )
  const known = new Map<string, Extent>()
  const extentOf = (list: Layer[], level: number): Extent => {
    const extent = { layers: list.length, depth: 0 }
    for (const layer of list) {
      if (typeof layer?.refId !== 'string') continue
      const nested = known.get(layer.refId) ?? measure(layer.refId, level + 1)
      extent.layers += nested.layers
      extent.depth = Math.max(extent.depth, nested.depth + 1)
    }
    if (extent.layers > MAX_LAYERS || extent.depth > MAX_NESTING)
      throw tooLarge(message('lottie.too_many_layers'))
    return extent
  }
  const measure = (id: string, level: number): Extent => {
    if (level > MAX_NESTING) throw tooLarge(message('lottie.too_many_layers'))
    // The renderer drops a composition that contains itself, and so does the count.
    known.set(id, { layers: 0, depth: 0 })
    const extent = extentOf(compositions.get(id) ?? [], level)
    known.set(id, extent)
    return extent
  }
  extentOf(layers, 0)
}

/** Turns the package's pictures into data URIs, and checks the size of those that already are. */
async function embedImages({ assets = [] }: Lottie, files: Record<string, Uint8Array>) {
  let missing = 0
  let embedded = false
  let pixels = 0
  for (const asset of assets) {
    if (typeof asset?.p !== 'string' || Array.isArray(asset.layers)) continue
    const inline = readDataAddress(asset.p)
    const data = inline?.bytes ?? files[`i/${asset.p}`] ?? files[`images/${asset.p}`]
    const size = data && (await sizeOf(data))
    if (!size) {
      missing++
      continue
    }
    pixels += size.width * size.height
    if (pixels > MAX_IMAGE_PIXELS)
      throw tooLarge(message('lottie.too_large_pictures', { megapixels: megapixels(MAX_IMAGE_PIXELS) }))
    if (inline) continue
    asset.p = dataAddress(`image/${size.format}`, data)
    asset.u = ''
    asset.e = 1
    embedded = true
  }
  return { missing, embedded }
}

/** Format and size of a picture that the renderer reads; undefined for anything else. */
async function sizeOf(
  data: Uint8Array,
): Promise<{ format: string; width: number; height: number } | undefined> {
  // Nothing else may reach sharp, which would also read SVG.
  if (!/^(jpg|png|gif|webp)$/.test(sniffKind(Buffer.from(data.subarray(0, 32))) ?? '')) return undefined
  return sharp(data, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
}
