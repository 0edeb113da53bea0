/**
 * The time of conversions beside the programs that a person would use instead, given the same file and settings:
 * `node bench/contests.ts jpg-to-webp video` measures only jobs whose name has one of these words. Linux only; programs that are
 * missing, and files that a missing program makes, are left out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { longBook } from '../testing/fixtures/books.ts'
import { heicOf } from '../testing/fixtures/heif.ts'
import { makeCr2 } from '../testing/fixtures/raw.ts'
import { typeset } from '../testing/fixtures/typst.ts'
import { isForReport, median, report, rounds } from './harness.ts'
import { photograph } from './pictures.ts'
import { startWarmWorker } from './warm-worker.ts'

const ROUNDS = rounds(5)
const CORES = availableParallelism()
const root = join(import.meta.dirname, '..')

interface Contest {
  /** `image.jpg-to-webp` */
  job: string
  /** One of the `fixtures`; by default that of the job's format. */
  source?: string
  /** The program, as it is named in the report. */
  rival: string
  /** Its command line in bash, in the folder of the fixtures. */
  command: string
  options?: Record<string, unknown>
  /** Cores that ours may use; with more than one, wall time is compared, otherwise that of processors. */
  cores?: number
  /** The highest accepted ratio of our time to the other's. */
  goal: number
  /** Why it may be missed. */
  cause?: string
}

await using folder = await mkdtempDisposable(join(tmpdir(), 'refile-bench-contests-'))
const at = (name: string) => join(folder.path, name)

/** Runs a command line and returns its cost; undefined if a program is missing or fails. */
function run(command: string): { wall: number; cpu: number } | undefined {
  const script = `set -o pipefail; TIMEFORMAT='%R %U %S'; time { ${command}; } >/dev/null 2>&1`
  const { status, stderr } = spawnSync('bash', ['-c', script], {
    ...{ cwd: folder.path, encoding: 'utf8' },
  })
  const [wall = 0, user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return status === 0 ? { wall, cpu: user + system } : undefined
}

const photo = async () => sharp(await photograph(4000, 3000))
const ffmpeg = (args: string) => async (path: string) => void run(`ffmpeg -nostdin -y ${args} ${path}`)
const SECONDS = isForReport ? 60 : 300
const noise = (seconds: number) => `-f lavfi -i anoisesrc=d=${seconds}:c=pink:a=0.3:r=44100 -ac 2`
const pack = (command: string) => async () => void run(`cd ${root}/node_modules && ${command}`)
const PACKAGES = './typescript ./@tabler/icons-react ./@mantine ./@napi-rs'
const lorem = (pages: number) => '#lorem(320)\n#pagebreak(weak: true)\n'.repeat(pages)

/** Makes each file when it is first needed. */
const fixtures: Record<string, (path: string) => Promise<unknown>> = {
  'a.jpg': async path => writeFile(path, await photograph(4000, 3000)),
  'a.png': async path => (await photo()).png({ compressionLevel: 3, adaptiveFiltering: true }).toFile(path),
  'a.heic': async path => {
    const { data, info } = await (await photo()).raw().toBuffer({ resolveWithObject: true })
    // Phones store their photographs as tiles of this size.
    await writeFile(path, heicOf({ ...info, data }, { tile: 512, x265: 'crf=15' }))
  },
  'a.cr2': async path => {
    const { data, info } = await (await photo()).raw().toBuffer({ resolveWithObject: true })
    await writeFile(
      path,
      makeCr2({ ...info, data }, { preview: await (await photo()).resize(160).jpeg().toBuffer() }),
    )
  },
  'a.wav': ffmpeg(noise(SECONDS)),
  'long.wav': ffmpeg(noise(900)),
  'a.flac': ffmpeg(noise(SECONDS)),
  'a.m4b': ffmpeg(`${noise(SECONDS)} -c:a aac -b:a 96k -f mp4`),
  'a.mkv': ffmpeg(
    '-f lavfi -i mandelbrot=s=1280x720:r=30:end_pts=900,noise=alls=6:allf=t,format=yuv420p -f lavfi -i anoisesrc=c=pink:a=0.1:r=48000 -t 4 -c:v libx264 -preset fast -crf 10 -c:a flac',
  ),
  'a.epub': async path => writeFile(path, await longBook(40, 150)),
  'a.azw3': async path => void run(`ebook-convert a.epub ${path}`),
  'a.pdf': async path => writeFile(path, typeset(`#set page(columns: 2)\n${lorem(20)}`)),
  '1,000 pages.pdf': async path => writeFile(path, typeset(`= Chapter\n${lorem(1000)}`)),
  'scan.pdf': async path => {
    await writeFile(at('text.pdf'), typeset(`#set text(size: 11pt)\n${lorem(8)}`))
    // Pages as a scanner delivers them, without any text.
    run('pdftoppm -r 200 -gray -jpeg text.pdf page')
    // The same data for both: that of distributions is quicker and reads less well.
    run(`gunzip -c ${root}/node_modules/@tesseract.js-data/eng/*/eng.traineddata.gz > eng.traineddata`)
    const scan = await PDFDocument.create()
    for (const name of globSync('page-*.jpg', { cwd: folder.path }).toSorted()) {
      const picture = await scan.embedJpg(await readFile(at(name)))
      const size = picture.scale(72 / 200)
      scan.addPage([size.width, size.height]).drawImage(picture, size)
    }
    await writeFile(path, await scan.save())
  },
  'a.md': async path =>
    writeFile(path, `# Minutes\n\n${'The committee *met* on the **second** day. '.repeat(800)}`),
  'a.docx': path => ofText(path),
  'a.html': path => ofText(path),
  'a.ttf': async path => void run(`cp ${root}/resources/fonts/DejaVuSans.ttf ${path}`),
  'a.zip': path => pack(`zip -qr ${path} ${PACKAGES}`)(),
  'a.tar.gz': path => pack(`tar -czf ${path} ${PACKAGES}`)(),
  'a.7z': path => pack(`7z a -mx=3 ${path} ${PACKAGES}`)(),
}

async function ofText(path: string): Promise<void> {
  await fixtures['a.md']!(at('a.md'))
  run(`pandoc -s a.md -o ${path}`)
}

const soffice = `soffice -env:UserInstallation=file://${folder.path}/profile --headless --convert-to pdf`
const archive = { cores: CORES, goal: 1.2, cause: 'every entry is checked in JavaScript', rival: 'bsdtar' }
const book = { cores: CORES, goal: 0.2, rival: 'ebook-convert' }
const picture = { cores: CORES, goal: 1 }
const sound = { goal: 1.05 }
const start = { cause: 'ours is ffmpeg, whose start takes longer' }
const transcoding = { goal: 1.05, rival: 'ffmpeg with the same settings' }
const pages = { options: { dpi: 150 }, rival: 'pdftoppm', cores: CORES }
const scan = { options: { ocr: { enabled: true } }, cores: CORES, goal: 1 }

const contests: readonly Contest[] = [
  { ...archive, job: 'archive.zip-to-tar', command: 'bsdtar --format=pax -cf x @a.zip' },
  { ...archive, job: 'archive.tar-gz-to-zip', command: 'bsdtar --format=zip -cf x @a.tar.gz' },
  {
    ...{ ...archive, job: 'archive.7z-to-iso', rival: '7z and genisoimage' },
    command: '7z x -y -otree a.7z && genisoimage -quiet -J -joliet-long -R -o x tree; rm -r tree',
  },
  ...['epub-to-azw3', 'epub-to-docx', 'azw3-to-epub'].map(pair => {
    const [from, to] = pair.split('-to-')
    return { ...book, job: `ebook.${pair}`, command: `ebook-convert a.${from} x.${to}` }
  }),
  { ...picture, job: 'image.jpg-to-webp', rival: 'cwebp', command: 'cwebp -quiet -q 82 a.jpg -o x.webp' },
  { ...picture, job: 'image.png-to-webp', rival: 'cwebp', command: 'cwebp -quiet -q 82 a.png -o x.webp' },
  {
    ...{ ...picture, job: 'image.jpg-to-avif', rival: 'avifenc -s 6' },
    command: 'avifenc -s 6 -j all -y 420 --min 0 --max 63 -a end-usage=q -a cq-level=25 a.jpg x.avif',
  },
  {
    ...{ ...picture, job: 'image.heic-to-jpg', rival: 'heif-convert' },
    command: 'heif-convert -q 90 a.heic x.jpg',
  },
  {
    ...{ ...picture, job: 'image.cr2-to-jpg', rival: 'dcraw_emu | cjpeg', goal: 1.3 },
    command: 'dcraw_emu -w -q 3 -Z - a.cr2 | cjpeg -quality 90 -sample 1x1 -optimize > x.jpg',
  },
  { ...sound, ...start, job: 'audio.wav-to-mp3', rival: 'lame', command: 'lame --quiet -V2 a.wav x.mp3' },
  {
    ...{ ...sound, ...start, job: 'audio.wav-to-opus', rival: 'opusenc' },
    command: 'opusenc --quiet --bitrate 128 a.wav x.opus',
  },
  { ...sound, ...start, job: 'audio.flac-to-wav', rival: 'flac', command: 'flac -s -f -d a.flac -o x.wav' },
  {
    ...{ ...sound, job: 'audio.m4b-to-mp3', rival: 'ffmpeg' },
    command: 'ffmpeg -nostdin -y -i a.m4b -map 0:a -c:a libmp3lame -q:a 2 x.mp3',
  },
  {
    ...{ job: 'audio.wav-to-mp3', source: 'long.wav', rival: 'ffmpeg', cores: 2, goal: 0.6 },
    command: 'ffmpeg -nostdin -y -i long.wav -c:a libmp3lame -q:a 2 x.mp3',
  },
  {
    ...{ ...transcoding, job: 'video.mkv-to-mp4', options: { video: { codec: 'h264', quality: 70 } } },
    command: 'ffmpeg -nostdin -y -i a.mkv -c:v libx264 -preset fast -crf 22.06 -c:a aac -b:a 128k x.mp4',
  },
  {
    ...{ ...transcoding, job: 'video.mkv-to-webm', options: { video: { codec: 'vp9', quality: 70 } } },
    command:
      'ffmpeg -nostdin -y -i a.mkv -c:v libvpx-vp9 -deadline good -cpu-used 4 -row-mt 1 -crf 32.3 -b:v 0 -c:a libopus -b:a 128k x.webm',
  },
  {
    ...{ job: 'document.md-to-pdf', rival: 'pandoc and soffice', cores: CORES, goal: 0.2 },
    command: `pandoc a.md -o x.docx && ${soffice} x.docx`,
  },
  ...['document.html', 'document.docx', 'ebook.epub'].map(from => {
    const command = `pandoc ${from.replace(/^\w+/, 'a')} -t gfm -o x.md`
    return { job: `${from}-to-md`, rival: 'pandoc', command, goal: 1 }
  }),
  {
    ...{ job: 'document.docx-to-pdf', rival: 'soffice', cores: CORES, goal: 1 },
    ...{ command: `${soffice} a.docx`, cause: 'ours is LibreOffice as WebAssembly' },
  },
  { ...pages, job: 'document.pdf-to-jpg', goal: 1.1, command: 'pdftoppm -jpeg -r 150 a.pdf x' },
  { ...pages, job: 'document.pdf-to-png', goal: 0.3, command: 'pdftoppm -png -r 150 a.pdf x' },
  {
    ...{ job: 'document.pdf-to-pdf', source: '1,000 pages.pdf', rival: 'qpdf', goal: 3 },
    options: { split: 'pages', compression: 'none' },
    command: 'qpdf --split-pages "1,000 pages.pdf" x.pdf',
  },
  {
    ...{ ...scan, job: 'document.pdf-to-md', source: 'scan.pdf', rival: `tesseract -P ${CORES}` },
    command: `ls page-*.jpg | OMP_THREAD_LIMIT=1 xargs -P ${CORES} -I{} tesseract {} {} --dpi 200 -l eng --tessdata-dir .`,
    cause: 'the pages of the PDF are also drawn, straightened and searched for small letters',
  },
  {
    ...{ job: 'font.ttf-to-woff2', rival: 'woff2_compress', command: 'woff2_compress a.ttf', goal: 1.4 },
    cause: 'the same code as WebAssembly',
  },
]

/** The file that is converted: a fixture of the format that the job names, unless it is a certain one. */
const sourceOf = ({ job, source }: Contest): string =>
  source ?? `a.${job.replace(/^\w+\.(.+)-to-.*$/, '$1').replace('-', '.')}`

/** Alternates the two, so that other load on the machine affects both, and compares by the median ratio. */
async function compete(contest: Contest) {
  const { job, rival, command, options = {}, cores = 1, goal, cause } = contest
  const source = sourceOf(contest)
  const subject = `${job.replace(/^\w+\./, '').replace('-to-', ' → ')}${source.startsWith('a.') ? '' : ` of ${source}`}`
  if (!existsSync(at(source))) await fixtures[source]?.(at(source))
  if (!existsSync(at(source)) || !run(command))
    return console.log(`   --   ${subject}: ${rival} is not installed or fails`)
  const of = cores > 1 ? 'wall' : 'cpu'
  using worker = startWarmWorker()
  const order = { job, path: at(source), options, cores }
  await worker.convert(order)
  const ours: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = run(command)?.[of] ?? Number.NaN
    ours.push((await worker.convert(order))[of])
    ratios.push(ours[round]! / theirs)
  }
  const what = `${subject}, ${of === 'wall' ? of : 'processor'} (${median(ours).toFixed(2)} s) / ${rival}`
  report(what, median(ratios).toFixed(2), `≤ ${goal}`, median(ratios) <= goal, cause)
}

const named = process.argv.slice(2)
for (const contest of contests)
  if (named.length === 0 || named.some(word => contest.job.includes(word))) await compete(contest)
