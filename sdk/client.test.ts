import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { misbehaving } from '../testing/misbehaving.ts'
import { sharedService, testService } from '../testing/service.ts'
import { readEvents } from './src/events.ts'
import { fileFrom, JobError, Refile, RefileError } from './src/index.ts'

const input = (text: string, name = 'a.jpg') => ({ name, data: new Blob([text]) })

describe('against a service', () => {
  const service = sharedService(misbehaving)
  const client = (settings: object = {}) =>
    new Refile({ baseUrl: service().url, apiKey: service().key, ...settings })

  test('a result can be streamed, read whole and removed', async () => {
    const result = await client().convert(input('fine'), 'webp')
    expect(result).toMatchObject({
      fileName: 'a.out',
      fileCount: 1,
      warnings: [],
    })
    const text = await (await result.blob()).text()
    expect(text).toMatch(/^fine done by/)
    expect(await new Response(await result.stream()).text()).toBe(text)
    await result.remove()
    await expect(client().job(result.job.id)).rejects.toMatchObject({ code: 'jobs.not_found', status: 404 })
  })

  test('a file becomes one format after another in one job, and is inspected for nothing', async () => {
    const before = await service().balance()
    const steps = [{ targetFormat: 'webp', options: { quality: 7 } }, { targetFormat: 'png' }]
    const { job, warnings } = await client().convert(input('then fine'), steps)
    expect(job.metrics.creditCost).toBe(2)
    expect(warnings).toHaveLength(2)
    expect(await client().convert(input('fine'), steps.slice(0, 1))).toMatchObject({ fileName: 'a.out' })
    expect(await client().inspect(input('fine'))).toMatchObject({ fileName: 'a.jpg', bytes: 4 })
    expect(await service().balance()).toBe(before - 3)
  })

  testFull(
    'of many files each is given once it has ended, one that fails too, and no more are taken than are on their way',
    async () => {
      let taken = 0
      const inputs = function* () {
        for (let index = 0; index < 25; index++) {
          taken++
          yield input(index % 10 === 3 ? 'throw' : 'fine', `${index}.jpg`)
        }
      }
      const names: string[] = []
      const failed: string[] = []
      for await (const { input: one, result, error } of client().convertAll(inputs(), 'webp', {
        atOnce: 7,
      })) {
        names.push(one.name)
        expect(taken - names.length).toBeLessThan(7)
        if (error) failed.push(`${one.name} ${(error as JobError).code}`)
        else expect(await (await result.blob()).text()).toMatch(/^fine done/)
      }
      expect(names.toSorted()).toEqual(Array.from({ length: 25 }, (_, index) => `${index}.jpg`).toSorted())
      expect(failed.toSorted()).toEqual(
        ['13.jpg', '23.jpg', '3.jpg'].map(name => `${name} jobs.engine_crashed`),
      )
    },
  )

  testFull('what has begun is canceled when the loop over many files ends early, or is aborted', async () => {
    const open = async () => {
      const { jobs } = await (await service().call('/convert/jobs?limit=6')).json()
      return jobs.filter(({ status }: { status: string }) => ['Queued', 'Running'].includes(status)).length
    }
    const many = ['fine', 'sleep', 'sleep', 'sleep'].map((text, index) => input(text, `${index}.jpg`))
    for await (const { result } of client().convertAll(many, 'webp')) {
      expect(result?.fileName).toBe('0.out')
      break
    }
    expect(await open()).toBe(0)
    const stopping = new AbortController()
    const loop = client().convertAll(many.slice(1), 'webp', { signal: stopping.signal })
    const first = loop.next()
    await expect.poll(open).toBe(3)
    stopping.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(await open()).toBe(0)
  })

  test('a path is enough, and a file that changes meanwhile costs one request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refile-sdk-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const name = process.platform === 'linux' ? 'größe "1"\n.jpg' : 'größe.jpg'
    const path = join(folder, name)
    await writeFile(path, 'fine')
    const result = await client().convert(path, 'webp', { options: { quality: 7 } })
    expect(await (await result.blob()).text()).toMatch(/^fine done/)
    expect(await client().convert(await fileFrom(path, 'b.jpg'), 'webp')).toMatchObject({ fileName: 'b.out' })

    let sent = 0
    const changing: typeof fetch = async (address, init) => {
      sent++
      await appendFile(path, 'more')
      return fetch(address, init)
    }
    const refused = client({ fetch: changing }).convert(path, 'webp')
    await expect(refused).rejects.toMatchObject({ name: 'FileError', code: 'file.changed' })
    expect(sent).toBe(1)

    const again = () => writeFile(path, new Uint8Array(3 * 2 ** 20))
    await again()
    for (const change of [again, () => appendFile(path, '.'), () => truncate(path, 5), () => rm(path)]) {
      const chunks = (await fileFrom(path)).stream()[Symbol.asyncIterator]()
      await chunks.next()
      await change()
      await expect(chunks.next()).rejects.toMatchObject({ code: 'file.changed' })
      await again()
    }
    await expect(client().convert(join(folder, 'none.jpg'), 'webp')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('warnings of a conversion reach the caller', async () => {
    const { warnings } = await client().convert(input('warn'), 'webp')
    expect(warnings).toEqual(['One is lost.', 'Two is missing.'])
  })

  test('a refusal has the code, the reason and what the service added', async () => {
    const refused = client().convert(input('fine'), 'mp3')
    await expect(refused).rejects.toBeInstanceOf(RefileError)
    await expect(refused).rejects.toMatchObject({
      code: 'convert.unsupported_format_pair',
      status: 400,
      context: { supportedTargets: expect.arrayContaining(['webp']) },
    })
  })

  test('a failed job has its code', async () => {
    const failed = client().convert(input('fail-with-cause'), 'webp')
    await expect(failed).rejects.toBeInstanceOf(JobError)
    await expect(failed).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  testFull('more files than the queue takes all come through', async () => {
    const retries = { retries: 100, maxDelayMs: 200 }
    const all = Array.from({ length: 30 }, (_, at) =>
      client({ retries }).convert(input('fine', `${at}.jpg`), 'webp'),
    )
    expect((await Promise.all(all)).map(({ fileName }) => fileName)).toContain('29.out')
  })

  test('a signal that aborts cancels the job', async () => {
    const stopping = new AbortController()
    let id = ''
    const running = client().convert(input('sleep'), 'webp', {
      signal: stopping.signal,
      onProgress: job => {
        id = job.id
        if (job.status === 'Running') stopping.abort(new Error('enough'))
      },
    })
    await expect(running).rejects.toThrow('enough')
    expect(await client().job(id)).toMatchObject({ status: 'Canceled' })
  })

  test('a job is polled where there are no live events', async () => {
    const asked: string[] = []
    const hosted: typeof fetch = async (address, init) => {
      asked.push(String(address instanceof Request ? address.url : address))
      if (asked.at(-1)?.endsWith('/events'))
        return Response.json({ error: 'request.not_found', detail: null }, { status: 404 })
      return fetch(address, init)
    }
    const { fileName } = await client({ fetch: hosted }).convert(input('fine'), 'webp')
    expect(fileName).toBe('a.out')
    expect(asked.some(url => /\/convert\/job\/[\da-f-]+$/.test(url))).toBe(true)
  })

  test('every request has a method', async () => {
    const { conversions } = await client().conversions({ formats: 'heic' })
    expect(conversions.map(({ job }) => job)).toContain('image.heic-to-jpg')
    const [job] = (await client().jobs({ limit: 1 })).jobs
    expect(job).toMatchObject({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect((await client().jobs({ status: job!.status, cursor: 0 })).jobs).toEqual([])
    expect((await client().estimate('heic', 'jpg', { fileSizeBytes: 12_000_000 })).estimatedCredits).toBe(3)
    expect(await client().schema('heic', 'jpg')).toMatchObject({ type: 'object' })
    expect(await client().entitlements()).toMatchObject({ planId: 'pro' })
    expect((await client().conversions()).conversions).toHaveLength(170)
  })
})

testFull('a download that breaks goes on where it broke, and equals the result', async () => {
  const service = await testService()
  const noise = { raw: { width: 400, height: 400, channels: 3 as const } }
  const png = await sharp(randomBytes(480_000), noise).png().toBuffer()
  let breaks = 2
  const brittle: typeof fetch = async (address, init) => {
    const answer = await fetch(address, init)
    if (!String(address).endsWith('/download') || !answer.body || breaks-- <= 0) return answer
    const body = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, 1000))
          controller.error(new Error('the cable'))
        },
      }),
    )
    return new Response(body, answer)
  }
  const client = new Refile({ baseUrl: service.url, apiKey: service.key, fetch: brittle })
  const result = await client.convert(new File([new Uint8Array(png)], 'noise.png'), 'webp')
  const broken = new Uint8Array(await (await result.blob()).arrayBuffer())
  const whole = new Uint8Array(await (await result.blob()).arrayBuffer())
  expect(breaks).toBeLessThan(0)
  expect(broken).toEqual(whole)
  expect((await sharp(whole).metadata()).width).toBe(400)
})

describe('against an unreliable network', () => {
  const accepted = { id: 'x', status: 'Queued', creditCost: 1 }
  /** A network that gives these answers one after another; an error breaks the connection. */
  const network = (answers: (Response | Error)[], ...descriptions: (object | Error)[]) => {
    const requests: { url: string; key: string | null; redirect: string | undefined }[] = []
    const send: typeof fetch = async (address, init) => {
      const url = String(address)
      const isAsked = url.endsWith('/openapi.json')
      if (!isAsked)
        requests.push({
          url,
          key: new Headers(init?.headers).get('idempotency-key'),
          redirect: init?.redirect,
        })
      const answer = isAsked ? (descriptions.shift() ?? { paths: {} }) : answers.shift()!
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer : Response.json(answer)
    }
    return { requests, client: new Refile({ fetch: send, retries: { maxDelayMs: 10 } }) }
  }
  const busy = (status: number, headers: Record<string, string> = {}) =>
    Response.json({ error: 'rate_limited', detail: 'Later.' }, { status, headers })

  test('a busy service is asked again, with the same idempotency key, and no later than the longest pause', async () => {
    const later = busy(503, { 'retry-after': '3600' })
    const { client, requests } = network([busy(429), later, Response.json(accepted, { status: 202 })])
    expect(await client.submit(input('fine'), 'webp')).toEqual(accepted)
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
    // To follow one, Node would keep the whole file in memory.
    expect(requests.map(({ redirect }) => redirect)).toEqual(['error', 'error', 'error'])
  })

  test('Retry-After is obeyed, and may be a date', async () => {
    const answers = [busy(429, { 'retry-after': '0.6' }), Response.json(accepted, { status: 202 })]
    const patient = new Refile({ fetch: async () => answers.shift()! })
    const begun = performance.now()
    expect(await patient.submit(input('fine'), 'webp')).toEqual(accepted)
    expect(performance.now() - begun).toBeGreaterThan(590)
    const date = new Date(Date.now() + 9_000).toUTCString()
    const strict = new Refile({
      fetch: async () => busy(429, { 'retry-after': date }),
      retries: { retries: 0 },
    })
    const refusal = await strict.submit(input('fine'), 'webp').catch(error => error)
    expect(refusal.retryAfter).toBeGreaterThan(7)
    expect(refusal.retryAfter).toBeLessThanOrEqual(9)
  })

  test('who waits for a busy service need not wait as long for one that is gone', async () => {
    let attempts = 0
    const gone = async () => {
      attempts++
      throw new TypeError('fetch failed')
    }
    const retries = { retries: 100, reconnects: 1, maxDelayMs: 1 }
    await expect(new Refile({ fetch: gone, retries }).job('x')).rejects.toMatchObject({ code: 'connection' })
    expect(attempts).toBe(2)
  })

  test('a signal ends what would be asked again and again', async () => {
    const stopping = new AbortController()
    const gone = async () => {
      stopping.abort(new Error('enough'))
      throw new TypeError('fetch failed')
    }
    const client = new Refile({ fetch: gone, retries: { retries: 100 } })
    await expect(client.conversions({}, stopping.signal)).rejects.toThrow('enough')
  })

  test('a download whose rest is no longer there fails, instead of going on with another file', async () => {
    const broken = new ReadableStream({
      start: controller => controller.enqueue(new Uint8Array(3)),
      pull: controller => controller.error(new Error('the cable')),
    })
    const first = new Response(broken, { headers: { etag: '"1"', 'accept-ranges': 'bytes' } })
    const { client } = network([first, new Response('another')])
    await expect(new Response(await client.download('x')).text()).rejects.toThrow('no longer there')
  })

  test('a stream of events on which nothing comes counts as broken', async () => {
    await expect(readEvents(new ReadableStream(), 20).next()).rejects.toThrow('silent')
  })

  test('a refusal is final', async () => {
    const { client, requests } = network([busy(400), busy(400)])
    await expect(client.submit(input('fine'), 'webp')).rejects.toMatchObject({ status: 400 })
    expect(requests).toHaveLength(1)
  })

  test('a lost submission is repeated only where that cannot run it twice', async () => {
    const lost = () => [new TypeError('fetch failed'), Response.json(accepted, { status: 202 })]
    const careless = network(lost())
    await expect(careless.client.submit(input('fine'), 'webp')).rejects.toMatchObject({ code: 'connection' })
    expect(careless.requests).toHaveLength(1)
    const post = { parameters: [{ name: 'Idempotency-Key', in: 'header' }] }
    // While the service restarts, nobody can say what it knows.
    const careful = network(lost(), new TypeError('fetch failed'), { paths: { '/convert': { post } } })
    expect(await careful.client.submit(input('fine'), 'webp')).toEqual(accepted)
    expect(careful.requests).toHaveLength(2)
  })
})

test('a job that was accepted while the signal aborted is canceled', async () => {
  const stopping = new AbortController()
  const canceled: string[] = []
  const slow: typeof fetch = async (address, init) => {
    const url = String(address)
    init?.signal?.throwIfAborted()
    if (url.endsWith('/cancel')) canceled.push(url)
    if (!url.endsWith('/convert')) return Response.json({})
    stopping.abort(new Error('enough'))
    await new Promise(resolve => setTimeout(resolve, 50))
    init?.signal?.throwIfAborted()
    return Response.json({ id: 'x', status: 'Queued', creditCost: 1 }, { status: 202 })
  }
  const { signal } = stopping
  await expect(new Refile({ fetch: slow }).convert(input('fine'), 'webp', { signal })).rejects.toThrow(
    'enough',
  )
  expect(canceled).toEqual(['http://127.0.0.1:7421/convert/job/x/cancel'])
})
