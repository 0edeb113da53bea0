import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { corpusFile, exif, hasCorpus, tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr, type Raster, seeded } from '../../../../testing/fixtures/pixels.ts'
import { makeCr2, makeDng, makeNef } from '../../../../testing/fixtures/raw.ts'
import type { RawRecipe } from '../../../../testing/fixtures/raw-sensor.ts'
import { makeCr3 } from '../../../../testing/raw-cr3.ts'
import { JobFailure } from '../../../shared/errors.ts'

const files = testFiles('raw')
const { write } = files

const makers: Record<string, (picture: Raster, recipe: RawRecipe) => Buffer> = {
  cr2: makeCr2,
  cr3: makeCr3,
  nef: makeNef,
  dng: makeDng,
}
const sourceOf = (kind: string) => (kind === 'dng' ? 'raw' : kind)

const picture = gradient(240, 160)
/** Embedded in every file: grey, and with a unique size, so that it is recognised wherever it appears. */
let preview: Uint8Array
beforeAll(async () => {
  const grey = { width: 96, height: 64, channels: 3 as const, background: '#808080' }
  preview = await sharp({ create: grey }).jpeg().toBuffer()
})

const made = (kind: string, orientation = 1, raster = picture) =>
  makers[kind]!(raster, { preview, orientation })

async function raster(path: string): Promise<Raster> {
  const { data, info } = await sharp(path, { ignoreIcc: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** A file as developed by another, native build of LibRaw and its own program. */
async function judged(path: string): Promise<Raster> {
  const tiff = files.path('judged.tiff')
  tool('dcraw_emu', '-w', '-T', '-Z', tiff, path)
  return raster(tiff)
}

/** Correlation of two pictures' samples: 1 if they differ only in brightness and contrast. */
function likeness(a: Uint8Array, b: Uint8Array): number {
  const mean = (samples: Uint8Array) => samples.reduce((sum, value) => sum + value, 0) / samples.length
  const [meanA, meanB] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]! - meanA, b[i]! - meanB]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / Math.sqrt(aa * bb)
}

describe('development', () => {
  test.each(few(1, Object.keys(makers)))(
    "%s matches LibRaw's own result, and looks like the original scene",
    async kind => {
      const path = write(made(kind), kind)
      const { path: output, warnings } = await convertFile(`image.${sourceOf(kind)}-to-png`, path)
      const [ours, theirs] = [await raster(output), await judged(path)]
      expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height])
      expect(psnr(ours.data, theirs.data)).toBeGreaterThan(50)
      // A few columns on the right of this Nikon's sensor are not shown.
      const { width, height } = ours
      const taken = await sharp(picture.data, { raw: { width: 240, height: 160, channels: 3 } })
        .extract({ left: 0, top: 0, width, height })
        .raw()
        .toBuffer()
      expect(likeness(ours.data, taken)).toBeGreaterThan(0.9)
      expect(warnings).toEqual([])
    },
  )

  const turned = [
    ['cr2', 6],
    ['cr3', 3],
    ['dng', 8],
  ] as const
  test.each(onlyFull(turned))('%s with orientation %i is turned upright', async (kind, orientation) => {
    const path = write(made(kind, orientation), kind)
    const { path: output } = await convertFile(`image.${sourceOf(kind)}-to-jpg`, path)
    const [ours, theirs] = [await raster(output), await judged(path)]
    expect([ours.width, ours.height]).toEqual(orientation === 3 ? [240, 160] : [160, 240])
    expect(psnr(ours.data, theirs.data)).toBeGreaterThan(35)
  })

  test.each(onlyFull(['avif', 'webp']))('%s', async target => {
    const { path } = await convertFile(`image.raw-to-${target}`, write(made('dng'), 'dng'))
    expect(tool('exiftool', '-s3', '-ImageSize', path).trim()).toBe('240x160')
  })

  testFull('the group takes any RAW, and the size is as requested', async () => {
    const resize = { enabled: true, mode: 'percentage', preset: 'custom', value: 50 }
    const { path } = await convertFile('image.raw-to-jpg', write(made('cr3'), 'cr3'), { resize })
    expect(tool('identify', '-format', '%wx%h', path)).toBe('120x80')
  })
})

describe('metadata', () => {
  test.each(
    few(1, [
      ['cr2', 'Canon EOS 5D Mark II', '0.008'],
      ['cr3', 'Canon EOS R', '0.008'],
      ['nef', 'NIKON D700', undefined],
      ['dng', 'Synthetic One', '0.008'],
    ]),
  )('%s: kept on request, without the orientation that was applied', async (kind, model, exposure) => {
    const path = write(made(kind, kind === 'nef' ? 1 : 6), kind)
    for (const target of kinds(['jpg', 'png'], each => each === 'jpg' || kind === 'dng')) {
      const kept = await convertFile(`image.${sourceOf(kind)}-to-${target}`, path, {
        metadata: { strip: false },
      })
      const { Model, ExposureTime, Orientation } = exif(kept.path)
      expect([Model, ExposureTime, Orientation]).toEqual([model, exposure, '1'])
      expect(tool('exiftool', '-validate', '-warning', '-a', '-s3', kept.path)).not.toMatch(
        /invalid|bad|offset|suspicious|error/i,
      )
    }
  })

  test('removed otherwise', async () => {
    const { path } = await convertFile('image.cr2-to-jpg', write(made('cr2'), 'cr2'))
    expect(tool('exiftool', '-s3', '-Model', path).trim()).toBe('')
  })
})

/** Converts, and returns failures meant for people as their code; everything else fails the test. */
async function outcome(bytes: Uint8Array, kind: string): Promise<{ code: string; warnings: string[] }> {
  try {
    const { warnings } = await convertFile(`image.${sourceOf(kind)}-to-jpg`, write(bytes, kind))
    return { code: 'converted', warnings }
  } catch (error) {
    if (error instanceof JobFailure) return { code: error.code, warnings: [] }
    throw error
  }
}

describe('files that cannot be developed', () => {
  test('the preview replaces missing data, with a warning', async () => {
    const whole = made('cr2', 6)
    const path = write(whole.subarray(0, whole.length / 2), 'cr2')
    const { path: output, warnings } = await convertFile('image.cr2-to-jpg', path)
    expect(tool('identify', '-format', '%wx%h', output)).toBe('64x96')
    expect(warnings).toEqual([expect.stringContaining('preview')])
  })

  test('a thumbnail is never used as the picture: without a preview there is none', async () => {
    // The thumbnail of 160 × 120 is what a TIFF reader would find in a NEF.
    const whole = makeNef(picture, { preview: new Uint8Array(16) })
    expect(await outcome(whole.subarray(0, whole.length / 2), 'nef')).toEqual({
      code: 'jobs.corrupt_input',
      warnings: [],
    })
  })

  test('a file that is not RAW', async () => {
    const next = seeded(1)
    const noise = Uint8Array.from({ length: 5000 }, () => next(256))
    for (const bytes of [noise, new Uint8Array(0)]) {
      expect((await outcome(bytes, 'cr2')).code).toBe('jobs.corrupt_input')
    }
  })
})

describeFull('camera files', hasCorpus, () => {
  test.each([
    ['DSC8695.dng', '600x400'],
    ['RAW_KODAK_DC50.KDC', '768x512'],
  ])('%s', async (name, size) => {
    const path = corpusFile(`raw/${name}`)
    const { path: output, warnings } = await convertFile('image.raw-to-png', path)
    expect(tool('identify', '-format', '%wx%h', output)).toBe(size)
    expect(warnings).toEqual([])
    // Debian's LibRaw cannot read the lossy one.
    if (name.endsWith('KDC'))
      expect(psnr((await raster(output)).data, (await judged(path)).data)).toBeGreaterThan(50)
  })

  test.each(['et_Nikon.nef', 'et_Panasonic.rw2'])('%s has lost its picture', async name => {
    const path = corpusFile(`raw/${name}`)
    const job = name.endsWith('nef') ? 'image.nef-to-jpg' : 'image.raw-to-jpg'
    const result = await convertFile(job, path).catch(error => error as JobFailure)
    if (result instanceof JobFailure) expect(result.code).toBe('jobs.corrupt_input')
    else expect(result.warnings).toHaveLength(1)
  })
})
