/** The cost of previews: conversions with and without 500 thumbnails requested, and the time of a quick conversion. */
import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import {
  type BenchService,
  best,
  convert,
  isForReport,
  openPage,
  type Page,
  repeat,
  report,
  startBuiltService,
} from './harness.ts'
import { photograph } from './pictures.ts'

const THUMBNAILS = 500
/** Conversions that are timed, and how many run at once. */
const CONVERSIONS = 8
const AT_ONCE = availableParallelism()
/** Rounds alternate, so that other load on the machine affects both. */
const ROUNDS = isForReport ? 5 : 11

async function stage(page: Page, name: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const { id } = (await (await page('/app/files', { method: 'POST', body: form })).json()) as { id: string }
  return id
}

/** Requests thumbnails like the page, two at a time, until all have arrived or it is aborted. */
async function askForAll(page: Page, ids: readonly string[], signal?: AbortSignal): Promise<number> {
  const left = [...ids]
  let made = 0
  const ask = async () => {
    for (let id = left.pop(); id !== undefined && !signal?.aborted; id = left.pop()) {
      const answer = await page(`/app/preview/thumbnail/staged/${id}`)
      await answer.arrayBuffer()
      if (answer.status === 202) {
        left.unshift(id)
        await new Promise(resolve => setTimeout(resolve, 500))
      } else made++
    }
  }
  await Promise.all([ask(), ask()])
  return made
}

/** Seconds that the conversions take, a few at a time. */
async function convertAll(service: BenchService, jpeg: Buffer): Promise<number> {
  const started = performance.now()
  await repeat(CONVERSIONS, AT_ONCE, () => convert(service, 'a.jpg', jpeg, 'webp'))
  return (performance.now() - started) / 1000
}

const service = await startBuiltService()
try {
  const page = await openPage(service)
  const jpeg = await photograph(4000, 3000)
  const small = await sharp(jpeg).resize(2000).jpeg().toBuffer()
  const stageMany = () =>
    Promise.all(Array.from({ length: THUMBNAILS }, (_, index) => stage(page, `${index}.jpg`, small)))

  const first = await stageMany()
  const alone = await best(1, () => askForAll(page, first))
  console.log(`  500 thumbnails of 3 MP pictures, nothing else to do: ${(alone / 1000).toFixed(1)} s`)

  await convertAll(service, jpeg)
  const ids = await stageMany()
  const ratios: number[] = []
  let made = 0
  for (let round = 0; round < ROUNDS; round++) {
    const without = await convertAll(service, jpeg)
    const stop = new AbortController()
    const asking = askForAll(page, ids, stop.signal)
    const beside = await convertAll(service, jpeg)
    stop.abort()
    made = await asking
    ratios.push(beside / without)
  }
  const ratio = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  console.log(
    `  ${CONVERSIONS} conversions a round, ratios ${ratios.map(value => value.toFixed(2)).join(' ')}; ${made} thumbnails made or known at the end`,
  )
  report(
    `conversions beside 500 thumbnails / alone (median of ${ROUNDS})`,
    ratio.toFixed(3),
    '≤ 1.05',
    ratio <= 1.05,
  )

  const id = await stage(page, 'photo.jpg', jpeg)
  let quality = 40
  const preview = (isDraft: boolean) => async () => {
    const body = JSON.stringify({
      file: { kind: 'staged', id },
      targetFormat: 'webp',
      options: { quality: quality++ },
      isDraft,
    })
    const headers = { 'content-type': 'application/json' }
    await (await page('/app/preview', { method: 'POST', body, headers })).text()
  }
  const quick = await best(5, preview(false))
  const draft = await best(5, preview(true))
  report(
    '12 MP jpg→webp shown before and after, with its likeness',
    `${(quick / 1000).toFixed(2)} s`,
    '',
    true,
  )
  report('the same as a draft after a change of quality', `${draft.toFixed(0)} ms`, '≤ 200 ms', draft <= 200)
} finally {
  await service.stop()
}
