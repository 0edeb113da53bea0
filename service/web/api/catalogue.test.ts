import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'
import type { ConversionItem, GetConversionsResponse } from './shapes.ts'

const shared = sharedService(misbehaving)

const start = async () => {
  const service = shared()
  const catalogue = async (path = '') =>
    json<GetConversionsResponse>(service.call(`/convert/conversions${path}`))
  const jobs = async (path: string) => (await catalogue(path)).conversions.map(conversion => conversion.job)
  return { service, catalogue, jobs }
}

test('conversions beyond the contract are listed on request', async () => {
  const { service, catalogue } = await start()
  const [usual, extended] = [await catalogue(), await catalogue('?extended=true')]
  const beyond = extended.conversions.filter(({ job }) => !usual.conversions.some(other => other.job === job))
  expect(beyond.map(({ job }) => job)).toContain('image.jpg-to-jpg')
  expect((await catalogue('/from/jpg')).conversions.map(({ job }) => job)).not.toContain('image.jpg-to-jpg')
  expect((await service.call('/convert/schema/jpg/jpg')).status).toBe(200)
  expect((await service.call('/convert/estimate/jpg/jpg?fileSizeBytes=1')).status).toBe(200)
})

test('the whole catalogue', async () => {
  const { catalogue } = await start()
  const all = await catalogue()
  expect(all.conversions.length).toBe(170)
  expect(Object.values(all.sourceFormatTo).flat().length).toBe(171)
  expect(all).toMatchObject({ maxFileSizeBytes: 17_179_869_184, maxConcurrentJobs: 6, maxBatchFiles: 1000 })
  const find = (job: string): ConversionItem | undefined =>
    all.conversions.find(conversion => conversion.job === job)
  expect(find('image.heic-to-jpg')).toEqual({
    job: 'image.heic-to-jpg',
    category: 'images',
    costing: {
      strategy: 'PerMegabyte',
      baseCost: 1,
      increment: 5,
      incrementUnit: 'mb',
      displaySuffix: 'per 5 MB',
      costVariants: null,
    },
    endpoint: '/convert',
    inputFormats: expect.arrayContaining(['heic', 'heif']),
    outputFormats: ['jpg'],
    maxFileSizeBytes: 250_000_000,
    maxConcurrentJobs: 6,
    maxPages: null,
    maxDurationMinutes: null,
    maxBatchSizeBytes: 68_719_476_736,
  })
  expect(find('document.pdf-to-pdfa')?.outputFormats).toEqual(['pdfa', 'pdf-ocr'])
  expect(find('document.bank-statement-to-excel')).toMatchObject({
    inputFormats: ['pdf'],
    outputFormats: ['bank-statement-excel'],
    costing: { strategy: 'PerPage', baseCost: 2, increment: 5, displaySuffix: 'per 5 pages' },
    maxPages: 2000,
  })
  expect(find('audio.audio-to-txt')).toMatchObject({
    costing: {
      strategy: 'PerMinute',
      baseCost: 2,
      increment: 1,
      displaySuffix: 'per minute',
      costVariants: {
        optionKey: 'transcription.mode',
        default: 'fast',
        variants: { fast: { cost: 2 }, quality: { cost: 5 }, 'meeting-intelligence': { cost: 8 } },
      },
    },
    maxDurationMinutes: 300,
  })
  expect(find('font.otf-to-ttf')?.costing).toMatchObject({
    strategy: 'Fixed',
    increment: null,
    displaySuffix: 'each',
  })
  expect(all.sourceFormatTo['bank-statement']?.[0]).toMatchObject({
    sourceFormat: 'bank-statement',
    targetFormat: 'bank-statement-excel',
  })
  expect(all.sourceFormatTo.pdf?.map(edge => edge.targetFormat)).toContain('pdf-ocr')
})

test('the list can be narrowed by path and query', async () => {
  const { jobs, catalogue } = await start()
  expect(await jobs('/fonts')).toHaveLength(13)
  expect(await jobs('?category=archives')).toHaveLength(14)
  expect(await jobs('/from/heif')).toEqual(
    ['avif', 'jpg', 'png', 'webp'].map(target => `image.heic-to-${target}`),
  )
  expect(await jobs('/to/iso')).toEqual([
    'archive.7z-to-iso',
    'archive.rar-to-iso',
    'archive.tar-to-iso',
    'archive.zip-to-iso',
  ])
  expect(await jobs('/to/pdf-ocr')).toEqual(['document.pdf-to-pdfa'])
  expect(await jobs('/from/mp3')).toEqual(expect.arrayContaining(['audio.mp3-to-wav', 'audio.audio-to-txt']))
  const tiff = await jobs('/tiff')
  expect(tiff).toEqual(expect.arrayContaining(['image.tiff-to-pdf', 'image.pict-to-tiff']))
  expect(await jobs('/audio')).toHaveLength(38)
  expect(await jobs('/to/png?category=documents')).toEqual([
    'document.pdf-to-png',
    'document.pptx-to-png',
    'document.word-to-png',
  ])
  // The four conversions of the group raw take cr3 too.
  expect(await jobs('?formats=psd,cr3')).toHaveLength(8)
  expect(await catalogue('/nonsense')).toMatchObject({
    conversions: [],
    sourceFormatTo: {},
    maxBatchFiles: 1000,
  })
})

test('estimates', async () => {
  const { service } = await start()
  const estimate = async (path: string) => json(service.call(`/convert/estimate/${path}`))
  const credits = async (path: string) => (await estimate(path)).estimatedCredits
  expect(await estimate('heic/jpg?fileSizeBytes=5000001')).toMatchObject({
    job: 'image.heic-to-jpg',
    category: 'images',
    estimatedCredits: 2,
    inputs: { fileSizeBytes: 5_000_001, fileSizeMb: null, pageCount: null, durationMinutes: null },
    limits: { maxFileSizeBytes: 250_000_000, maxPages: null, maxDurationMinutes: null },
  })
  expect(await credits('heic/jpg?fileSizeBytes=5000000')).toBe(1)
  expect(await credits('heic/jpg?fileSizeMb=10.1')).toBe(3)
  expect(await credits('heic/jpg?fileSizeMb=100&fileSizeBytes=1')).toBe(1)
  expect(await credits('pdf/docx?pageCount=11')).toBe(3)
  expect(await credits('pdf/jpg?pageCount=11')).toBe(2)
  expect(await credits('pdf/bank-statement-excel?pageCount=6')).toBe(4)
  // What the caller states is taken as it is.
  for (const [minutes, wanted] of [
    [5, [1, 10]],
    [5.0001, [2, 12]],
    [5.01, [2, 12]],
    [5.1, [2, 12]],
  ] as const)
    for (const [index, pair] of ['wav/mp3', 'mp3/txt'].entries())
      expect(await credits(`${pair}?durationMinutes=${minutes}`), `${pair} ${minutes}`).toBe(wanted[index])
  expect(await credits('mp3/txt?durationMinutes=1.5')).toBe(4)
  expect(await credits('mp3/txt?durationMinutes=1.5&variant=quality')).toBe(10)
  expect(await credits('mp3/txt')).toBe(2)
  expect(await credits('otf/ttf?fileSizeBytes=40000000')).toBe(1)
  const refusal = async (path: string) => {
    const response = await service.call(`/convert/estimate/${path}`)
    return { status: response.status, ...(await json<{ error: string; detail: string }>(response)) }
  }
  expect(await refusal('jpg/mp3')).toMatchObject({
    status: 400,
    error: 'estimate.unsupported_format_pair',
    sourceFormat: 'jpg',
    targetFormat: 'mp3',
    supportedTargets: expect.arrayContaining(['avif', 'webp', 'jxl']),
  })
  expect(await refusal('xyz/mp3')).toMatchObject({ status: 400, error: 'estimate.unsupported_source_format' })
  const variant = await refusal('mp3/txt?variant=best')
  expect(variant).toMatchObject({ status: 400, error: 'estimate.invalid_variant' })
  expect(variant.detail).toContain('fast, quality, meeting-intelligence')
  expect(await refusal('heic/jpg?fileSizeBytes=many')).toMatchObject({
    status: 400,
    error: 'request.invalid_parameter',
  })
})

testFull('schemas of options are JSON Schema of draft 2020-12', async () => {
  const { service, catalogue } = await start()
  const ajv = new Ajv2020({ strict: false })
  const { sourceFormatTo } = await catalogue('?extended=true')
  // Compiling takes ten times as long as anything else, and many conversions have the same options.
  const tried = new Set<string>()
  for (const { sourceFormat, targetFormat, job } of Object.values(sourceFormatTo).flat()) {
    const response = await service.call(`/convert/schema/${sourceFormat}/${targetFormat}`)
    expect(response.headers.get('content-type')).toBe('application/schema+json')
    const schema = await json<{ $comment: string; properties: object }>(response)
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(schema.$comment).toBe(`${sourceFormat}-to-${targetFormat} ${job}`)
    if (job.startsWith('font.')) expect(schema.properties).toEqual({})
    const options = JSON.stringify(schema.properties)
    if (tried.has(options)) continue
    tried.add(options)
    expect(ajv.validateSchema(schema)).toBe(true)
    if (isFull || tried.size % 4 === 0) expect(ajv.compile(schema)({ nonsense: 1 })).toBe(false)
  }
})

test('option schemas have the shapes of the contract', async () => {
  const { service } = await start()
  const schema = await json<{ properties: Record<string, { properties: Record<string, object> }> }>(
    service.call('/convert/schema/heic/jpg'),
  )
  const { resize, smartCompression, metadata } = schema.properties
  expect(resize?.properties).toMatchObject({
    enabled: { type: 'boolean' },
    mode: { enum: ['pixels', 'percentage'] },
    preset: { enum: ['off', '4k', '2k', '1080p', '720p', 'custom'], default: 'off' },
    value: { type: 'integer', minimum: 1, maximum: 10_000 },
  })
  expect(smartCompression?.properties).toMatchObject({
    mode: { enum: ['lossy', 'lossless'], default: 'lossy' },
  })
  expect(metadata?.properties.strip).toMatchObject({ type: 'boolean', default: true })
  const ocr = await json<{ properties: { ocr: { properties: object } } }>(
    service.call('/convert/schema/pdf/pdf-ocr'),
  )
  expect(ocr.properties.ocr.properties).toMatchObject({ enabled: { default: true } })
})

testFull('one schema covers every option of every conversion', async () => {
  const { service, catalogue } = await start()
  const response = await service.call('/convert/schema')
  expect(response.headers.get('content-type')).toBe('application/schema+json')
  const whole = await json<{ properties: Record<string, unknown> }>(response)
  const validate = new Ajv2020({ strict: false }).compile(whole)
  expect(validate({ resize: { value: 1 }, transcription: { mode: 'quality' }, ocr: { enabled: true } })).toBe(
    true,
  )
  expect(validate({ resize: { value: 0 } })).toBe(false)
  for (const { sourceFormat, targetFormat } of Object.values((await catalogue()).sourceFormatTo).flat()) {
    const one = await json<{ properties: object }>(
      service.call(`/convert/schema/${sourceFormat}/${targetFormat}`),
    )
    for (const option of Object.keys(one.properties)) expect(Object.keys(whole.properties)).toContain(option)
  }
})

test('schemas of conversions that do not exist', async () => {
  const { service } = await start()
  const refusal = async (path: string) => {
    const response = await service.call(`/convert/schema/${path}`)
    return { status: response.status, ...(await json(response)) }
  }
  expect(await refusal('jpg/mp3')).toMatchObject({
    status: 400,
    error: 'schema.unsupported_format_pair',
    sourceFormat: 'jpg',
    supportedTargets: expect.arrayContaining(['avif', 'webp', 'jxl']),
  })
  expect(await refusal('xyz/mp3')).toMatchObject({
    status: 400,
    error: 'schema.unsupported_source_format',
    supportedTargets: [],
  })
  expect(await refusal('iso/zip')).toMatchObject({ status: 400, error: 'schema.converter_not_found' })
})

test('entitlements', async () => {
  const { service } = await start()
  expect(await json(service.call('/convert/entitlements/me'))).toEqual({
    userId: expect.any(String),
    organizationId: null,
    planId: 'pro',
    planName: 'Refile Pro',
    accessDisplayName: 'Pro',
    totalCredits: 500,
    tier: 'pro',
    dailyLimit: null,
    dailyUsed: null,
    resetDate: null,
  })
})

test('the OpenAPI document describes every route of the contract', async () => {
  const { service } = await start()
  const document = await json<{ openapi: string; paths: Record<string, Record<string, unknown>> }>(
    fetch(`${service.url}/openapi.json`),
  )
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method} ${path}`),
  )
  expect(operations.toSorted()).toEqual([
    'delete /convert/job/{id}',
    'get /convert/conversions',
    'get /convert/conversions/from/{format}',
    'get /convert/conversions/to/{format}',
    'get /convert/conversions/{filter}',
    'get /convert/entitlements/me',
    'get /convert/estimate/{from}/{to}',
    'get /convert/job/{id}',
    'get /convert/job/{id}/download',
    'get /convert/job/{id}/events',
    'get /convert/jobs',
    // Not of the contract, but described as well.
    'get /convert/presets',
    'get /convert/schema',
    'get /convert/schema/{from}/{to}',
    'post /convert',
    'post /convert/file',
    'post /convert/inspect',
    'post /convert/job/{id}/cancel',
  ])
})

test('the catalogue comes compressed to who takes that, and once to who has it', async () => {
  const { service } = await start()
  const get = (headers: Record<string, string>) =>
    new Promise<{ status: number; encoding: string | undefined; etag: string; bytes: Buffer }>(
      (resolve, reject) => {
        const address = `${service.url}/convert/conversions?extended=true`
        request(address, { headers: { 'X-Service-Api-Key': service.key, ...headers } }, async answer => {
          const bytes = Buffer.concat(await Array.fromAsync(answer))
          const { 'content-encoding': encoding, etag = '' } = answer.headers
          resolve({ status: answer.statusCode!, encoding, etag, bytes })
        })
          .on('error', reject)
          .end()
      },
    )
  const plain = await get({})
  expect([plain.status, plain.encoding]).toEqual([200, undefined])
  const packed = await get({ 'accept-encoding': 'br, gzip' })
  expect([packed.status, packed.encoding]).toEqual([200, 'gzip'])
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
  expect(packed.bytes.length).toBeLessThan(200_000)
  expect((await get({ 'accept-encoding': 'gzip;q=0' })).encoding).toBeUndefined()
  const known = await get({ 'if-none-match': packed.etag, 'accept-encoding': 'gzip' })
  expect([known.status, known.bytes.length]).toEqual([304, 0])
  expect(packed.etag).toBe(plain.etag)
})
