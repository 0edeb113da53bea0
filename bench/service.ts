/** The overhead of the service: time and memory. Linux only. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import {
  type BenchService,
  best,
  convert,
  median,
  processorTime,
  repeat,
  report,
  reportMost,
  residentMegabytes,
  startBuiltService,
} from './harness.ts'
import { photograph } from './pictures.ts'

// Otherwise the bare side would be spared repeating itself.
sharp.cache(false)

const MB = 2 ** 20

/** Submit → succeeded → downloaded, compared with the same call in a bare warm process. */
async function overhead(service: BenchService): Promise<void> {
  const jpeg = await photograph(4000, 3000)
  const baseline = async () => sharp(jpeg).autoOrient().webp({ quality: 82 }).toBuffer()
  await baseline()
  await convert(service, 'a.jpg', jpeg, 'webp')
  const ratios: number[] = []
  // Alternates, so that other load on the machine affects both.
  for (let round = 0; round < 5; round++) {
    const alone = await best(1, baseline)
    const through = await best(1, () => convert(service, 'a.jpg', jpeg, 'webp'))
    ratios.push(through / alone)
  }
  const cause = 'three requests, and the picture sent and received'
  reportMost('12 MP jpg→webp through the API / bare sharp (median of 5)', median(ratios), 1.1, '', cause)
}

/** Sends a request to the service every 20 ms until stdin ends, then prints the 99th percentile in milliseconds. */
const pinging = `
  let running = true
  process.stdin.resume().once('end', () => { running = false })
  const delays = []
  while (running) {
    const started = performance.now()
    await (await fetch(process.argv[1] + '/health/live')).text()
    delays.push(performance.now() - started)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  console.log(delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99)])`

/** Many small jobs at once: are all processors busy, and does the service still respond? */
async function throughput(service: BenchService): Promise<void> {
  const picture = await sharp(await photograph(1200, 900))
    .png()
    .toBuffer()
  // Runs in a separate process, since this one is busy sending and receiving.
  const prober = spawn(process.execPath, ['--input-type=module', '--eval', pinging, service.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const before = processorTime()
  const started = performance.now()
  await repeat(200, 12, () => convert(service, 'a.png', picture, 'webp'))
  const seconds = (performance.now() - started) / 1000
  const after = processorTime()
  prober.stdin.end()
  const p99 = Number(await text(prober.stdout))
  const busy = (100 * (after.busy - before.busy)) / (after.total - before.total)
  report(
    `200 png→webp jobs, 6 slots (${(200 / seconds).toFixed(1)} jobs/s): processors busy`,
    `${busy.toFixed(0)} %`,
    '> 85 %',
    busy > 85,
  )
  reportMost('the same: answer to a ping, 99th percentile', p99, 50, 'ms')
}

/** A body of `bytes` zeros between a head and a tail, generated at almost no cost. */
function body(bytes: number, head = '', tail = ''): Readable {
  const chunk = Buffer.alloc(MB)
  const parts = [
    ...(head ? [Buffer.from(head)] : []),
    ...Array<Buffer>(bytes / MB).fill(chunk),
    Buffer.from(tail),
  ]
  let next = 0
  return new Readable({
    highWaterMark: MB,
    read() {
      this.push(next < parts.length ? parts[next++] : null)
    },
  })
}

async function send(url: string, headers: Record<string, string>, parts: Readable): Promise<number> {
  const started = performance.now()
  await new Promise<void>((resolve, reject) => {
    const upload = request(url, { method: 'POST', headers, highWaterMark: MB } as object, answer => {
      answer.resume()
      answer.once('end', resolve)
    })
    upload.once('error', reject)
    pipeline(parts, upload).catch(reject)
  })
  return performance.now() - started
}

/** The least work a server can do: it writes every body to one file. */
const bareServer = `
  import { createWriteStream } from 'node:fs'
  import { createServer } from 'node:http'
  import { pipeline } from 'node:stream/promises'
  createServer({ highWaterMark: ${MB} }, async (incoming, answer) => {
    await pipeline(incoming, createWriteStream(process.argv[1], { highWaterMark: ${MB} }))
    answer.end()
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Uploads 1 GB, compared with a bare HTTP server that writes the body to the same disk. */
async function upload(service: BenchService): Promise<void> {
  const bytes = 1000 * MB
  const folder = await mkdtemp(join(tmpdir(), 'refile-upload-'))
  const baseline = spawn(
    process.execPath,
    ['--input-type=module', '--eval', bareServer, join(folder, 'body')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const port = await new Promise<string>(resolve =>
    baseline.stdout.once('data', chunk => resolve(String(chunk).trim())),
  )
  // The input is invalid, so that only receiving it is measured, without a worker.
  const head =
    '--xx\r\nContent-Disposition: form-data; name="targetFormat"\r\n\r\nnothing\r\n--xx\r\nContent-Disposition: form-data; name="file"; filename="a.tar"\r\n\r\n'
  const tail = '\r\n--xx--\r\n'
  const headers = {
    'content-type': 'multipart/form-data; boundary=xx',
    'x-service-api-key': service.key,
    'content-length': String(bytes + head.length + tail.length),
  }
  let peak = 0
  const resting = residentMegabytes(service.pid)
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(service.pid))
  }, 20)
  const ratios: number[] = []
  for (let round = 0; round < 3; round++) {
    const raw = await send(`http://127.0.0.1:${port}/`, { 'content-length': String(bytes) }, body(bytes))
    await rm(join(folder, 'body'))
    ratios.push(raw / (await send(`${service.url}/convert`, headers, body(bytes, head, tail))))
  }
  clearInterval(watch)
  baseline.kill()
  await rm(folder, { recursive: true, force: true })
  const ratio = median(ratios)
  report(
    '1 GB upload: throughput / bare node:http to disk (median of 3)',
    ratio.toFixed(2),
    '≥ 0.70',
    ratio >= 0.7,
  )
  reportMost('the same: growth of the service', peak - resting, 64, 'MB')
}

/** Memory of all processes together after an idle period. */
async function rest(service: BenchService): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 60_000))
  reportMost(
    'idle for 60 s after all of the above: resident memory',
    residentMegabytes(service.pid),
    120,
    'MB',
  )
}

const parts = { overhead, throughput, upload, rest }

/** Runs the parts named on the command line, or all parts. */
async function main(names: string[]): Promise<void> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  const service = await startBuiltService()
  for (const [name, part] of Object.entries(parts)) if (isWanted(name)) await part(service)
  await service.stop()
}

await main(process.argv.slice(2))
