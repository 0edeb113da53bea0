/** The overhead of the service: time and memory. Linux only. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { docx } from '../testing/fixtures/office.ts'
import {
  type BenchService,
  convert,
  median,
  processorSecondsOfAll,
  processorTime,
  repeat,
  report,
  reportMost,
  residentMegabytes,
  startBuiltService,
  timed,
} from './harness.ts'
import { photograph } from './pictures.ts'

// Otherwise the bare side would be spared repeating itself.
sharp.cache(false)

/** Submit → succeeded → downloaded, compared with the same call in a bare warm process. */
async function overhead(service: BenchService): Promise<void> {
  const jpeg = await photograph(4000, 3000)
  const baseline = async () => sharp(jpeg).autoOrient().webp({ quality: 82 }).toBuffer()
  await baseline()
  await convert(service, 'a.jpg', jpeg, 'webp')
  const ratios: number[] = []
  // Alternates, so that other load on the machine affects both.
  for (let round = 0; round < 5; round++) {
    const alone = await timed(baseline)
    const through = await timed(() => convert(service, 'a.jpg', jpeg, 'webp'))
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

/** The same Word file to PDF by `POST /convert/file` and by the route of Gotenberg, in turns. */
async function gate(service: BenchService): Promise<void> {
  const paragraphs = Array.from(
    { length: 150 },
    (_, at) => `${at}. ${'The committee met on the second day. '.repeat(8)}`,
  )
  const file = new Blob([new Uint8Array(docx({ paragraphs }))])
  const ask = async (path: string, field: string) => {
    const form = new FormData()
    form.set('targetFormat', 'pdf')
    form.set(field, file, 'a.docx')
    const [started, used] = [performance.now(), processorSecondsOfAll(service.pid)]
    const init = { method: 'POST', body: form, headers: { 'x-service-api-key': service.apiKey } }
    const answer = await fetch(service.url + path, init)
    if (!Buffer.from(await answer.arrayBuffer()).includes('%PDF'))
      throw new Error(`${path}: ${answer.status}`)
    return [performance.now() - started, processorSecondsOfAll(service.pid) - used] as const
  }
  const ratios: [number, number][] = []
  for (let round = 0; round <= 24; round++) {
    const own = await ask('/convert/file', 'file')
    const theirs = await ask('/gotenberg/forms/libreoffice/convert', 'files')
    // The first starts LibreOffice.
    if (round > 0) ratios.push([theirs[0] / own[0], theirs[1] / own[1]])
  }
  for (const [nth, of] of ['wall', 'processor'].entries()) {
    const subject = `docx → pdf, /gotenberg beside /convert/file, ${of} (median of 24 pairs)`
    reportMost(subject, median(ratios.map(pair => pair[nth]!)), 1.05)
  }
}

/** Memory of all processes together after an idle period. */
async function rest(service: BenchService): Promise<void> {
  await delay(60_000)
  const megabytes = residentMegabytes(service.pid)
  reportMost('idle for 60 s after all of the above: resident memory', megabytes, 120, 'MB')
}

const parts = { overhead, throughput, gate, rest }

/** Runs the parts named on the command line, or all parts. */
async function main(names: string[]): Promise<void> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  const service = await startBuiltService()
  for (const [name, part] of Object.entries(parts)) if (isWanted(name)) await part(service)
  await service.stop()
}

await main(process.argv.slice(2))
