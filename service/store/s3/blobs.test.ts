import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { interceptLocalhostDns } from 'fauxqs'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { kinds } from '../../../testing/fixtures/full.ts'
import { type Fault, s3Server } from '../../../testing/s3.ts'
import { embeddedStores } from '../../../testing/stores.ts'
import { blobStoreContract } from '../contract/blobs.ts'
import { BlobGone, StoreFull, StoreRefused, StoreUnavailable } from '../interfaces/errors.ts'
import { s3Blobs } from './blobs.ts'
import { createClient, type S3Place } from './client.ts'
import { copyObject } from './copying.ts'

const server = s3Server()
const TIMEOUTS = { connectMs: 20_000, silenceMs: 20_000, attempts: 2 }
/** More than one part. */
const LARGE_BYTES = 2 ** 24 + 10

blobStoreContract(limits => embeddedStores(limits, folder => s3Blobs(server().place(), folder)))

async function opened(settings: Partial<S3Place> = {}, timeouts = TIMEOUTS) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-s3-'))
  const blobs = s3Blobs(server().place(settings), join(folder, 'checkouts'), timeouts)
  onTestFinished(async () => {
    server().failing(() => undefined)
    await blobs[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const path = join(folder, 'file')
  return { blobs, path, folder, checkouts: () => readdir(join(folder, 'checkouts')).catch(() => []) }
}

/** Makes the first requests that `concerns` selects fail. */
function failFirst(times: number, fault: Fault, concerns: (line: string) => boolean): void {
  let left = times
  server().failing(({ method, url }) => (concerns(`${method} ${url}`) && left-- > 0 ? fault : undefined))
}

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

testFull('a large file is uploaded in parts, each with its checksum, and downloaded unchanged', async () => {
  const { blobs, path, checkouts } = await opened()
  const content = randomBytes(LARGE_BYTES)
  await writeFile(path, content)
  const from = server().requests.length
  await blobs.put('jobs/1/input', path)
  const parts = server()
    .requests.slice(from)
    .filter(({ line }) => line.includes('partNumber='))
  expect(parts).toHaveLength(3)
  for (const { headers } of parts) expect(headers['x-amz-checksum-crc32']).toMatch(/^[\w+/]{6}==$/)
  {
    await using file = await blobs.checkout('jobs/1/input')
    expect(sha(await readFile(file.path))).toBe(sha(content))
    expect((await stat(file.path)).mode & 0o777).toBe(0o600)
  }
  expect(await checkouts()).toEqual([])
})

test('the bucket can also be in the host of the URL', async () => {
  const { endpoint = '' } = server().place()
  onTestFinished(interceptLocalhostDns())
  const { blobs, path } = await opened({
    pathStyle: false,
    endpoint: endpoint.replace('127.0.0.1', 'localhost'),
  })
  await writeFile(path, 'content')
  await blobs.put('jobs/1/input', path)
  expect(server().requests.at(-1)?.headers.host).toMatch(/^blobs\.localhost:/)
  expect(await text((await blobs.open('jobs/1/input')).stream)).toBe('content')
})

testFull('an object too large for one copy request is copied in parts', async () => {
  const place = server().place()
  const { blobs, path } = await opened(place)
  // Slightly more than the minimum size of a part.
  const partBytes = 5 * 2 ** 20
  const content = randomBytes(partBytes + 10)
  await writeFile(path, content)
  await blobs.put('a', path)
  const client = createClient(place)
  const at = (key: string) => ({ Bucket: place.bucket, Key: `${place.prefix}${key}` })
  const copy = () => copyObject(client, at('a'), at('b'), { maxBytes: partBytes, partBytes })
  await copy()
  expect(sha(await buffer((await blobs.open('b')).stream))).toBe(sha(content))
  // One that fails leaves no parts behind, which would be paid for.
  server().failing(({ url = '' }) => (url.includes('partNumber=2') ? 500 : undefined))
  await expect(copy()).rejects.toThrow()
  expect(server().requests.at(-1)?.line).toMatch(/^DELETE .*uploadId=/)
})

const faults: Fault[] = [500, 503, 'silence', 'cut request']

test.each(kinds(faults, fault => fault === 500 || fault === 'cut request'))(
  'a request that fails once by %s is repeated',
  async fault => {
    // On a busy machine a request that is not lost may seem silent, too, and is repeated.
    const timeouts = fault === 'silence' ? { ...TIMEOUTS, silenceMs: 500, attempts: 20 } : TIMEOUTS
    const { blobs, path } = await opened({}, timeouts)
    await writeFile(path, 'content')
    failFirst(1, fault, line => line.startsWith('PUT'))
    await blobs.put('jobs/1/input', path)
    failFirst(1, fault === 'cut request' ? 500 : fault, line => line.startsWith('GET'))
    expect(await text((await blobs.open('jobs/1/input')).stream)).toBe('content')
  },
)

test('an interrupted download resumes where it ended', async () => {
  const { blobs, path } = await opened()
  const content = randomBytes(300_000)
  await writeFile(path, content)
  await blobs.put('jobs/1/output-1', path)
  failFirst(2, 'cut answer', line => line.startsWith('GET'))
  const { stream, bytes } = await blobs.open('jobs/1/output-1')
  expect(bytes).toBe(content.length)
  expect(sha(await buffer(stream))).toBe(sha(content))
  const { headers } = server().requests.at(-1)!
  expect(headers.range).toMatch(/^bytes=\d{4,}-$/)
  // The rest of another file under the same key would not fit.
  expect(headers['if-match']).toMatch(/^"\w+"$/)
})

test('a download that is interrupted before anybody reads it is resumed, and one that is never read is dropped', async () => {
  const { blobs, path } = await opened()
  const content = randomBytes(2 ** 20)
  await writeFile(path, content)
  await blobs.put('jobs/1/input', path)
  failFirst(2, 'cut answer', line => line.startsWith('GET'))
  const [read, unread] = [await blobs.open('jobs/1/input'), await blobs.open('jobs/1/input')]
  // The answers are interrupted meanwhile; an unhandled error must not end the process.
  await delay(100)
  expect(sha(await buffer(read.stream))).toBe(sha(content))
  unread.stream.destroy()
})

testFull(
  'a storage that keeps failing is unavailable, nothing partial can be read, and nothing is left here',
  async () => {
    const { blobs, path, checkouts } = await opened()
    await writeFile(path, randomBytes(LARGE_BYTES))
    // The first part arrives.
    server().failing(({ url = '' }) => (/partNumber=[23]/.test(url) ? 500 : undefined))
    await expect(blobs.put('jobs/1/input', path)).rejects.toThrow(StoreUnavailable)
    expect(await blobs.list('jobs/1')).toEqual([])
    await expect(blobs.open('jobs/1/input')).rejects.toThrow(BlobGone)
    expect(server().unfinished.size).toBe(0)

    server().failing(() => undefined)
    await blobs.put('jobs/1/input', path)
    server().failing(({ method }) => (method === 'GET' ? 'cut answer' : undefined))
    await expect(blobs.checkout('jobs/1/input')).rejects.toThrow(StoreUnavailable)
    expect(await checkouts()).toEqual([])

    server().failing(() => 500)
    await expect(blobs.check()).rejects.toThrow(StoreUnavailable)
    await expect(blobs.list('jobs')).rejects.toThrow(StoreUnavailable)
    await expect(blobs.remove('jobs/1')).rejects.toThrow(StoreUnavailable)
    await expect(blobs.copy('jobs/1/input', 'jobs/2/input')).rejects.toThrow(StoreUnavailable)
  },
)

test.each([
  [{ status: 403, code: 'AccessDenied' }, StoreRefused, 'AccessDenied'],
  [{ status: 400, code: 'XMinioAdminBucketQuotaExceeded' }, StoreFull, 'QuotaExceeded'],
  // A clock that is wrong, credentials that are being renewed.
  [{ status: 403, code: 'RequestTimeTooSkewed' }, StoreUnavailable, 'RequestTimeTooSkewed'],
] as const)('%j means the right thing', async (fault, what, word) => {
  const { blobs, path } = await opened()
  await writeFile(path, 'content')
  server().failing(() => fault)
  const error = await blobs.put('jobs/1/input', path).catch(thrown => thrown)
  expect(error).toBeInstanceOf(what)
  expect(String(error)).toContain(word)
})

test("an error of this machine's disk is not blamed on the storage", async () => {
  const { blobs, path } = await opened()
  await expect(blobs.put('jobs/1/input', `${path}-gone`)).rejects.toMatchObject({ code: 'ENOENT' })
})

testFull('an aborted upload is dropped, and so is one whose host died', async () => {
  const { blobs, path } = await opened()
  await writeFile(path, randomBytes(LARGE_BYTES))
  const abort = new AbortController()
  server().failing(({ url = '' }) => {
    if (url.includes('partNumber=2')) abort.abort()
    return undefined
  })
  await expect(blobs.put('jobs/1/input', path, abort.signal)).rejects.toThrow()
  await expect.poll(() => server().unfinished.size).toBe(0)
  expect(await blobs.list('jobs')).toEqual([])

  // The storage does not get the end either.
  server().failing(({ method, url = '' }) =>
    method === 'DELETE' || url.includes('partNumber=2') ? 500 : undefined,
  )
  await expect(blobs.put('jobs/1/input', path)).rejects.toThrow(StoreUnavailable)
  server().failing(() => undefined)
  expect(server().unfinished.size).toBe(1)
  await blobs.dropUnfinished(Date.now() - 60_000)
  expect(server().unfinished.size).toBe(1)
  await blobs.dropUnfinished(Date.now() + 60_000)
  expect(server().unfinished.size).toBe(0)
})

test('a URL of the storage itself needs no credentials and names the file', async () => {
  const { blobs, path } = await opened({ linkSeconds: 60 })
  await writeFile(path, 'content')
  await blobs.put('jobs/1/output-1', path)
  const link = await blobs.link('jobs/1/output-1', {
    disposition: 'attachment; filename="a.txt"',
    contentType: 'text/plain',
  })
  expect(new URL(link ?? '').searchParams.get('X-Amz-Expires')).toBe('60')
  const answer = await fetch(link ?? '')
  expect(await answer.text()).toBe('content')
  expect(new URL(link ?? '').searchParams.get('response-content-disposition')).toContain('a.txt')
})
