import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { fullBook } from '../../../testing/book-kinds.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { isFull, kinds } from '../../../testing/fixtures/full.ts'
import { heicOf, irot } from '../../../testing/fixtures/heif.ts'
import { lively, make } from '../../../testing/fixtures/media.ts'
import { gradient } from '../../../testing/fixtures/pixels.ts'
import { makePdf } from '../../../testing/pdf.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { smallFont } from '../../../testing/small-font.ts'
import { writeSfnt } from '../../convert/engines/fonts/sfnt/sfnt.ts'
import type { Preview, StagedFile } from './types.ts'

const files = testFiles('preview')
const service = sharedService()
const app = () => openApp(service())

/** A photo-like picture of noise over a gradient, which JPEG cannot store exactly. */
const photograph = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#678',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })

/** A file of each family, none of which was made by our code. */
const fixtures: Record<string, () => Promise<string>> = {
  jpg: async () => {
    await photograph(400, 200)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toFile(files.path('a.jpg'))
    return files.path('a.jpg')
  },
  pdf: () => makePdf(files.path('a.pdf'), document => document.fontSize(80).text('Hello')),
  md: async () => {
    writeFileSync(files.path('a.md'), '# Hello\n\nworld')
    return files.path('a.md')
  },
  mp4: async () =>
    make(
      files.path('a.mp4'),
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=320x240:d=2',
      ...lively(2),
      '-c:v',
      'mpeg4',
      '-shortest',
    ),
  epub: async () => {
    writeFileSync(files.path('a.epub'), await fullBook())
    return files.path('a.epub')
  },
  ttf: async () => files.write(writeSfnt(smallFont()), 'ttf'),
}

async function stage(path: string) {
  const { drop } = await app()
  return json<StagedFile>(drop(basename(path), Uint8Array.from(readFileSync(path))))
}

async function thumbnail(id: string, edge = 48) {
  const { call } = await app()
  for (;;) {
    const answer = await call(`/app/preview/thumbnail/staged/${id}?edge=${edge}`)
    if (answer.status !== 202) return answer
    await delay(20)
  }
}

async function preview(fileId: string, targetFormat?: string, options = {}) {
  const { post } = await app()
  return json<Preview>(
    post('/app/preview', {
      file: { kind: 'staged', id: fileId },
      ...(targetFormat && { targetFormat }),
      options,
    }),
  )
}

const fileOf = async (look: Preview['before']) => {
  const { call } = await app()
  if (!look || !('file' in look)) throw new Error('no file')
  return Buffer.from(await (await call(look.file)).arrayBuffer())
}

describe('a thumbnail of', () => {
  test.each(kinds(Object.keys(fixtures), kind => kind === 'jpg' || kind === 'md'))('%s', async kind => {
    const { id } = await stage(await fixtures[kind]!())
    for (const edge of kind === 'jpg' || isFull ? [48, 96] : [48]) {
      const answer = await thumbnail(id, edge)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/webp')
      const picture = sharp(Buffer.from(await answer.arrayBuffer()))
      const { width, height } = await picture.metadata()
      expect(Math.max(width, height)).toBe(edge)
      const { channels } = await picture.stats()
      expect(channels.some(({ stdev }) => stdev > 0)).toBe(true)
    }
  })

  test('a picture is upright', async () => {
    const { id } = await stage(await fixtures.jpg!())
    const { width, height } = await sharp(Buffer.from(await (await thumbnail(id)).arrayBuffer())).metadata()
    expect([width, height]).toEqual([24, 48])
  })

  testFull('a HEIC picture is upright, and so is the size that the list states', async () => {
    const turned = heicOf(gradient(128, 64), { transforms: [irot(1)] })
    const { id, facts } = await stage(files.write(turned, 'heic'))
    expect(facts).toMatchObject({ width: 64, height: 128 })
    const { width, height } = await sharp(Buffer.from(await (await thumbnail(id)).arrayBuffer())).metadata()
    expect([width, height]).toEqual([24, 48])
  })

  testFull('a recording is shown by its cover, and not at all if it has none', async () => {
    const bare = make(files.path('bare.mp3'), ...lively(1))
    expect((await thumbnail((await stage(bare)).id)).status).toBe(204)
    await photograph(64, 64).jpeg().toFile(files.path('cover.jpg'))
    const covered = files.path('covered.mp3')
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      bare,
      '-i',
      files.path('cover.jpg'),
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-disposition:v',
      'attached_pic',
      covered,
    ])
    expect((await thumbnail((await stage(covered)).id)).status).toBe(200)
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['of nonsense', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array(500).fill(7)])],
  ])('a picture that is %s has no thumbnail', async (_, spoil) => {
    const path = files.path('spoilt.jpg')
    writeFileSync(path, spoil(readFileSync(await fixtures.jpg!())))
    expect((await thumbnail((await stage(path)).id)).status).toBe(204)
  })
})

test('a quick conversion shows the picture before and after, with its true size and similarity', async () => {
  const { call, post } = await app()
  const balance = await service().balance()
  const { id } = await stage(await fixtures.jpg!())
  const [good, poor] = [await preview(id, 'webp', { quality: 95 }), await preview(id, 'webp', { quality: 5 })]
  expect(good.problem).toBeNull()
  expect(good.bytes).toBeGreaterThan(poor.bytes!)
  expect(good.ssim).toBeGreaterThan(0.9)
  expect(poor.ssim).toBeLessThan(good.ssim!)
  expect(good.after).toMatchObject({ kind: 'picture', width: 200, height: 400 })
  // White on nothing is gone where nothing has become white.
  const mark = files.path('mark.png')
  const white = { create: { width: 40, height: 40, channels: 3, background: '#fff' } } as const
  await sharp(white).extend({ right: 40, background: '#0000' }).png().toFile(mark)
  expect((await preview((await stage(mark)).id, 'jpg', {})).ssim).toBeLessThan(0.9)
  for (const look of [good.before, good.after])
    expect((await sharp(await fileOf(look)).metadata()).width).toBe(200)
  if (!isFull) return
  // The same conversion as a job gives the same number of bytes.
  const job = await (await app()).convert(id, 'webp', { quality: 5 })
  const finished = await (await app()).finished(job.id)
  expect(finished?.outputBytes).toBe(poor.bytes)
  expect(await service().balance()).toBe(balance - finished!.creditCost)
  expect((await json<{ items: unknown[] }>(call('/app/jobs'))).items).toHaveLength(1)
  // The result can also be compared with the input.
  const compared = await json<Preview>(post('/app/preview/compare', { jobId: job.id }))
  expect(compared).toMatchObject({ bytes: poor.bytes, ssim: poor.ssim, before: { kind: 'picture' } })
})

testFull(
  'a draft shows what another quality does to a picture, in its own pixels up to the size of a preview',
  async () => {
    const path = files.path('large.jpg')
    await photograph(1700, 102).jpeg({ quality: 95 }).toFile(path)
    const { id } = await stage(path)
    const { post } = await app()
    const draft = (targetFormat: string, options: object) =>
      json<Preview>(
        post('/app/preview', { file: { kind: 'staged', id }, targetFormat, options, isDraft: true }),
      )
    const original = await sharp(path).resize(1600).raw().toBuffer()
    /** Mean difference of the samples. */
    const lossOf = async ({ after }: Preview) => {
      const { data, info } = await sharp(await fileOf(after))
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([1600, 96])
      return data.reduce((sum, value, at) => sum + Math.abs(value - original[at]!), 0) / data.length
    }
    for (const target of isFull ? ['jpg', 'webp'] : ['webp']) {
      const [good, poor] = [await draft(target, { quality: 95 }), await draft(target, { quality: 5 })]
      expect(good).toMatchObject({ problem: null, bytes: null, ssim: null })
      expect(await lossOf(poor)).toBeGreaterThan(2 * (await lossOf(good)))
    }
    // A size in pixels or bytes is that of the whole.
    await lossOf(await draft('webp', { resize: { enabled: true, value: 100 }, targetSize: 20 }))
    expect((await draft('ico', {})).problem).not.toBeNull()
  },
)

testFull(
  'some seconds of a long recording are converted, and the size of the whole is estimated from them',
  async () => {
    const { id } = await stage(make(files.path('long.wav'), ...lively(16, 22_050)))
    const { before, after, bytes, isEstimate } = await preview(id, 'mp3', {
      audio: { encoding: 'constant', bitrate: 64 },
    })
    expect(before).toMatchObject({ kind: 'sound', seconds: 8 })
    expect(after?.kind === 'sound' && after.peaks.length).toBe(400)
    // Shown alone, it has its whole waveform, for choosing a part.
    const { before: alone } = await preview(id)
    expect(alone?.kind === 'sound' && alone.whole?.length).toBe(400)
    expect(isEstimate).toBe(true)
    // 64 kbit/s for 16 seconds.
    expect(bytes! / 128_000).toBeCloseTo(1, 1)
    writeFileSync(files.path('excerpt.wav'), await fileOf(after))
    expect(
      execFileSync(
        'ffprobe',
        ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', files.path('excerpt.wav')],
        { encoding: 'utf8' },
      ),
    ).toMatch(/^(8\.0|7\.9)/)
  },
)

testFull('players get ranges of an excerpt and of the recording itself, and of nothing else', async () => {
  const { call } = await app()
  const path = make(files.path('short.wav'), ...lively(1))
  const { id } = await stage(path)
  const { before } = await preview(id)
  const bytes = readFileSync(path)
  for (const [address, content] of [
    [`/app/preview/media/staged/${id}`, bytes],
    [(before as { file: string }).file, await fileOf(before)],
  ] as const) {
    const part = await call(address, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${content.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(100, 200))
    const end = await call(address, { headers: { range: 'bytes=-10' } })
    expect(Buffer.from(await end.arrayBuffer())).toEqual(content.subarray(-10))
    expect((await call(address, { headers: { range: `bytes=${content.length}-` } })).status).toBe(416)
    expect(Buffer.from(await (await call(address)).arrayBuffer())).toEqual(content)
  }
  const page = await stage(await fixtures.md!())
  expect((await call(`/app/preview/media/staged/${page.id}`)).status).toBe(404)
})

testFull('one page of a document is shown', async () => {
  const path = await makePdf(files.path('pages.pdf'), document => {
    document.fontSize(60).text('One')
    document.addPage().text('Two')
  })
  const { before, after, bytes, isEstimate } = await preview((await stage(path)).id, 'png')
  expect([before?.kind, after?.kind, isEstimate]).toEqual(['picture', 'picture', true])
  expect(bytes).toBeGreaterThan(0)
})

testFull(
  'a font is returned in a form that browsers load, and an archive as its list of entries',
  async () => {
    const font = await preview((await stage(await fixtures.ttf!())).id, 'woff2')
    expect((await fileOf(font.after)).toString('latin1', 0, 4)).toBe('wOF2')
    writeFileSync(files.path('x.txt'), 'hello')
    execFileSync('zip', ['-q', '-j', files.path('a.zip'), files.path('x.txt')])
    const archive = await preview((await stage(files.path('a.zip'))).id, 'tar')
    expect(archive.after).toEqual({ kind: 'entries', entries: [{ path: 'x.txt', bytes: 5 }], count: 1 })
  },
)

testFull('what cannot be shown says why', async () => {
  const path = await makePdf(files.path('locked.pdf'), document => document.text('secret'), {
    userPassword: 'x',
  })
  const { problem, before, after } = await preview((await stage(path)).id, 'png')
  expect([problem?.code, before, after]).toEqual(['jobs.encrypted_input', null, null])
})

test('previews are private to the account, and need a session', async () => {
  const { id } = await stage(await fixtures.jpg!())
  const { after } = await preview(id, 'png')
  const { file } = after as { file: string }
  expect((await fetch(service().url + file)).status).toBe(401)
  const { call, post } = await app()
  for (const name of ['..%2Fmeta', 'before.png', '%2e%2e%2f%2e%2e%2frefile.sqlite']) {
    expect((await call(`${file.slice(0, file.lastIndexOf('/'))}/${name}`)).status).toBe(404)
  }
  expect((await call('/app/preview/thumbnail/staged/nothing')).status).toBe(400)
  expect((await post('/app/preview', { file: { kind: 'staged', id }, targetFormat: 'mp3' })).status).toBe(400)
  expect(
    (
      await post('/app/preview', {
        file: { kind: 'staged', id },
        targetFormat: 'webp',
        options: { quality: 900 },
      })
    ).status,
  ).toBe(400)
})

test('deleting a file deletes its previews', async () => {
  const { call, post } = await app()
  const { id } = await stage(await fixtures.jpg!())
  const { after } = await preview(id, 'png')
  await post('/app/files/remove', { ids: [id] })
  expect((await call((after as { file: string }).file)).status).toBe(404)
  expect(await readdir(join(service().home, 'scratch'))).toEqual([])
})

testFull('deleting several files at once, or a job, deletes their previews', async () => {
  const { call, post, finished } = await app()
  const [file, other] = [await stage(await fixtures.jpg!()), await stage(await fixtures.jpg!())]
  const shown = async (answer: Promise<Preview>) => {
    const { after, before } = await answer
    return ((after ?? before) as { file: string }).file
  }
  const previews = [await shown(preview(file.id, 'png')), await shown(preview(other.id, 'png'))]
  const { id: jobId } = await (await app()).convert(file.id, 'png')
  await finished(jobId)
  const compared = await shown(json<Preview>(post('/app/preview/compare', { jobId })))
  expect((await call(compared)).status).toBe(200)
  await call(`/app/history/${jobId}`, { method: 'DELETE' })
  expect((await call(compared)).status).toBe(404)
  for (const path of previews) expect((await call(path)).status).toBe(200)
  await post('/app/files/remove', { ids: [file.id, other.id] })
  for (const path of previews) expect((await call(path)).status).toBe(404)
})
