/**
 * What one job takes in each family, which docs/scale.md shows: processor seconds in a warm worker, and its memory at the most, both
 * including all its programs. `BENCH_FAMILIES=speech,video` measures some of them. Linux only.
 */
import { copyFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longBook } from '../testing/samples/books.ts'
import { lively, make, tool } from '../testing/samples/media.ts'
import { docx, pageBreak, paragraph, xlsx } from '../testing/samples/office.ts'
import { pptx } from '../testing/samples/slides.ts'
import { median, report, residentMegabytes } from './harness.ts'
import { photograph } from './pictures.ts'
import { startWarmWorker } from './warm-worker.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Between two looks at the memory of a worker and the programs it has started. */
const LOOK_MS = 50
const PAGES = 10
const FONT = join(
  import.meta.dirname,
  '../node_modules/@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
)

const sentence =
  'The committee met on the second Tuesday of the month and agreed on every point of the plan. '
const text = `${sentence.repeat(6)}\n\n`.repeat(5)

interface Sample {
  family: string
  what: string
  job: string
  /** Made once, or again for each round if it takes the round: for engines that cache what they have seen. */
  make(path: string, round: number): Promise<unknown> | unknown
  options?: Record<string, unknown>
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
    family: 'office',
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
    family: 'speech',
    what: `1 minute of English, wav → txt, ${process.env.REFILE_MODELS ? 'best of REFILE_MODELS' : 'no model'}`,
    job: 'audio.audio-to-txt',
    make: path => {
      tool('flite', '-voice', 'rms', '-t', sentence.repeat(11), '-o', path)
    },
    options: { language: 'en' },
  },
  {
    family: 'video',
    what: '1 minute, 1280 × 720, mkv → mp4',
    job: 'video.mkv-to-mp4',
    make: path => {
      const picture = 'mandelbrot=s=1280x720:r=30:end_pts=1800,noise=alls=6:allf=t,format=yuv420p'
      const sound = 'anoisesrc=c=pink:a=0.1:r=48000'
      const inputs = [picture, sound].flatMap(source => ['-f', 'lavfi', '-i', source])
      // In a codec that has to be re-encoded; ten seconds six times over.
      const part = `${path}.part.mkv`
      make(part, ...inputs, '-t', '10', '-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'flac')
      make(path, '-stream_loop', '5', '-i', part, '-c', 'copy')
    },
  },
  {
    family: 'ebooks',
    what: '40 chapters, epub → azw3',
    job: 'ebook.epub-to-azw3',
    make: async path => writeFile(path, await longBook(40, 150)),
  },
  {
    family: 'ebooks',
    what: '40 chapters, epub → pdf',
    job: 'ebook.epub-to-pdf',
    make: async path => writeFile(path, await longBook(40, 150)),
  },
  {
    family: 'office',
    what: '20 slides, pptx → pdf',
    job: 'document.pptx-to-pdf',
    make: (path, round) =>
      writeFile(path, pptx(Array.from({ length: 20 }, (_, slide) => `Slide ${round}.${slide}: ${sentence}`))),
  },
  {
    family: 'office',
    what: '1,000 rows, xlsx → pdf',
    job: 'document.xlsx-to-pdf',
    make: (path, round) =>
      writeFile(
        path,
        xlsx({
          Sales: Array.from({ length: 1000 }, (_, row) => [`Order ${round}.${row}`, row * 7, row * 1.19]),
        }),
      ),
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

/** The most memory, in megabytes, that a process and the programs it has started use together until it is stopped. */
function watchMemory(pid: number) {
  let peak = 0
  const look = () => {
    try {
      peak = Math.max(peak, residentMegabytes(pid))
    } catch {
      // A program ended between being listed and being read.
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}

const wanted = process.env.BENCH_FAMILIES?.split(',')
const folder = await mkdtemp(join(tmpdir(), 'refile-bench-'))
try {
  for (const { family, what, job, make: makeSample, options = {} } of samples) {
    if (wanted && !wanted.includes(family)) continue
    const extension = /, (\w+) →/.exec(what)?.[1] ?? ''
    const worker = startWarmWorker()
    const seconds: number[] = []
    let megabytes = 0
    for (let round = -1; round < ROUNDS; round++) {
      const path = join(folder, `${makeSample.length > 1 ? round : 'sample'}.${extension}`)
      if (makeSample.length > 1 || round === -1) await makeSample(path, round)
      const memory = watchMemory(worker.pid)
      const { cpu, peak } = await worker.convert({ job, path, options, cores: 2 })
      megabytes = Math.max(megabytes, memory.stop(), peak)
      if (round >= 0) seconds.push(cpu)
    }
    worker.stop()
    const cpu = median(seconds)
    const hourly = Math.round(3600 / Math.max(cpu, 0.005)).toLocaleString('en')
    const figure = `${cpu.toFixed(2)} s of a core, ${Math.round(megabytes)} MB, ${hourly} an hour`
    report(`${family}: ${what}`, figure, '', true)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
