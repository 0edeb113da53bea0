import { copyFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lively, make, tool } from '../../service/test/media.ts'
import { docx, pageBreak, paragraph } from '../../service/test/office.ts'
import { median } from '../harness.ts'
import { photograph } from '../pictures.ts'
import { startWarmWorker } from '../warm-worker.ts'

const ROUNDS = 5
const PAGES = 10
const FONT = join(
  import.meta.dirname,
  '../../node_modules/@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
)

const sentence =
  'The committee met on the second Tuesday of the month and agreed on every point of the plan. '
const text = `${sentence.repeat(6)}\n\n`.repeat(5)

interface Sample {
  family: string
  what: string
  job: string
  /** The file differs in each round for engines that cache what they have seen. */
  make(path: string, round: number): Promise<unknown> | unknown
}

const samples: readonly Sample[] = [
  {
    family: 'images',
    what: '12 megapixels, jpg → webp',
    job: 'image.jpg-to-webp',
    make: async path => writeFile(path, await photograph(4000, 3000)),
  },
  {
    family: 'images',
    what: '12 megapixels, jpg → avif',
    job: 'image.jpg-to-avif',
    make: async path => writeFile(path, await photograph(4000, 3000)),
  },
  {
    family: 'documents',
    what: `${PAGES} pages, md → pdf`,
    job: 'document.md-to-pdf',
    make: (path, round) => writeFile(path, text.replaceAll('second', `${round}.`).repeat(PAGES)),
  },
  {
    family: 'documents',
    what: `${PAGES} pages, docx → pdf`,
    job: 'document.docx-to-pdf',
    make: (path, round) =>
      writeFile(
        path,
        docx({
          paragraphs: [`Minutes ${round}`],
          body: Array.from({ length: PAGES }, () => paragraph(sentence.repeat(6)).repeat(5)).join(pageBreak),
        }),
      ),
  },
  {
    family: 'audio',
    what: '5 minutes, wav → mp3',
    job: 'audio.wav-to-mp3',
    make: path => make(path, ...lively(300)),
  },
  {
    family: 'fonts',
    what: '2 MB, ttf → woff2',
    job: 'font.ttf-to-woff2',
    make: path => copyFileSync(FONT, path),
  },
  {
    family: 'archives',
    what: '100 MB, tar → zip',
    job: 'archive.tar-to-zip',
    make: path => {
      const content = `${path}.content`
      tool('sh', '-c', `head -c 100000000 /dev/urandom | base64 -w 100 | head -c 100000000 > ${content}`)
      tool('tar', '-cf', path, '-C', '/', content.slice(1))
    },
  },
]

/** Measures what one core does in each family: processor seconds per job in a warm worker, including all its programs. */
export async function families(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-bench-'))
  try {
    for (const { family, what, job, make: makeSample } of samples) {
      const [extension = ''] = job.split('.')[1]?.split('-') ?? []
      const worker = startWarmWorker()
      const seconds: number[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const path = join(folder, `${round}.${extension}`)
        await makeSample(path, round)
        const { cpu } = await worker.convert({ job, path, folder: await mkdtemp(join(folder, 'out-')) })
        if (round >= 0) seconds.push(cpu)
      }
      worker.stop()
      const cpu = median(seconds)
      const figures = `${cpu.toFixed(2)} s of a core`.padStart(18)
      console.log(
        `       ${`${family}: ${what}`.padEnd(58)} ${figures}   ${Math.round(3600 / Math.max(cpu, 0.005)).toLocaleString('en')} jobs/hour`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
