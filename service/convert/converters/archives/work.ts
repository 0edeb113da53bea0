import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { unpackEach } from '../../../shared/placing/unpack.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { writeSevenZip } from '../../engines/archives/7z/write.ts'
import { GzipSink } from '../../engines/archives/gzip.ts'
import { writeIso } from '../../engines/archives/iso/iso.ts'
import type { Archive, ArchiveEntry, Content, Member } from '../../engines/archives/model.ts'
import {
  type ArchiveFormat,
  damagedMembers,
  isArchiveFormat,
  type OpenedStream,
  type OpenOptions,
  openListed,
  openStream,
} from '../../engines/archives/open.ts'
import { SevenZipSink } from '../../engines/archives/seven-zip-sink.ts'
import { FileSink } from '../../engines/archives/sink.ts'
import { NeedsPlan } from '../../engines/archives/tar/plan.ts'
import { writeTar } from '../../engines/archives/tar/write.ts'
import { writeZip } from '../../engines/archives/zip/write.ts'
import { ZstdSink } from '../../engines/archives/zstd.ts'
import type { ArchiveOptions } from './options.ts'

/** Up to this size progress is only reported when a file is done. */
const SMALL_BYTES = 1 << 20
/** Step size of reported progress. */
const STEP = 0.01
/** The maximum that is reported if there is more than expected. */
const MOST = 0.99

/** The same members, reporting how much of their `total` bytes has been read. */
async function* followed<Member extends { entry: ArchiveEntry; data?: Content }>(
  members: AsyncIterable<Member>,
  total: number,
  progress: Task['progress'],
): AsyncGenerator<Member> {
  let bytes = 0
  let published = -1
  const count = (length: number) => {
    bytes += length
    const fraction = Math.min(MOST, bytes / Math.max(1, total))
    if (fraction < published + STEP) return
    published = fraction
    progress(fraction, 'converting')
  }
  async function* counted(data: Content): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      yield chunk
      count(chunk.length)
    }
  }
  for await (const member of members) {
    if (member.data && member.entry.size > SMALL_BYTES) yield { ...member, data: counted(member.data) }
    else {
      yield member
      count(member.entry.size)
    }
  }
}

type ArchiveTask = Task<ArchiveOptions>

const deflateLevels = { store: 0, fast: 3, normal: 6, small: 9 } as const
const zstdLevels = { store: 1, fast: 1, normal: 6, small: 15 } as const
/** From level 7 on, bzip2 compresses each block twice, which takes several times as long for nearly no gain, and XZ needs much memory. */
const sevenZipLevels = { store: 1, fast: 1, normal: 5, small: 7 } as const

/** Creation date of an image that must be reproducible. */
const NO_DATE = new Date('1980-01-01T00:00:00Z')

/** Where the new archive is written, in the folder of the task. */
const PACKED = 'archive'

/** Names of parts of split archives: `a.7z.001`, `a.part2.rar`, `a.r00`, `a.z01`. */
const PART = /\.(\d{3}|part\d+\.rar|[rz]\d\d)$/i

/**
 * Converts an archive to another format, with all its members in order, without unpacking any of them to disk, or gives its files.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function convert(task: ArchiveTask): Promise<Output[]> {
  const { source, target, folder, input } = task
  if (!isArchiveFormat(source)) throw new Error(`${source} is no archive`)
  task.progress(0, 'preparing')
  const path = join(folder, PACKED)
  await using sink = await FileSink.create(path)
  try {
    if (target === 'contents')
      return await repeated(task, source, sink, options => packContents(task, source, sink, options))
    const write = target === 'iso' ? writeImage : writeStream
    await repeated(task, source, sink, options => write(task, source, sink, options))
  } catch (error) {
    throw isDamage(error) && PART.test(input.name)
      ? new JobFailure('jobs.corrupt_input', message('archive.multi_volume'), { cause: error })
      : error
  }
  await sink.end()
  return [{ path }]
}

/**
 * Runs once more, after the sink was emptied, if it turns out that a plan is needed, or that members are damaged, which are
 * left out then.
 */
async function repeated<T>(
  task: ArchiveTask,
  source: ArchiveFormat,
  sink: FileSink,
  run: (options: OpenOptions) => Promise<T>,
): Promise<T> {
  const options: OpenOptions = openOptions(task)
  for (;;) {
    try {
      return await run(options)
    } catch (error) {
      if (error instanceof NeedsPlan) options.isPlanned = true
      else if (isDamage(error) && !options.leaveOut) {
        options.leaveOut = await damagedMembers(task.input.path, source, options)
        if (options.leaveOut.size === 0) throw error
      } else throw error
      await sink.rewind()
    }
  }
}

const isDamage = (error: unknown): error is JobFailure =>
  error instanceof JobFailure && error.code === 'jobs.corrupt_input'

async function writeStream(
  task: ArchiveTask,
  source: ArchiveFormat,
  sink: FileSink,
  opening: OpenOptions,
): Promise<void> {
  const { input, target, options, cores } = task
  const opened = await openStream(input.path, source, opening)
  const members = followed(prepared(opened, options), totalOf(opened, task), task.progress)
  const { compression = 'normal' } = options
  const comment = opened.comment()
  switch (target) {
    case 'zip':
      return writeZip(members, sink, { level: deflateLevels[compression], cores, comment: opened.comment })
    case '7z': {
      const again = async () => {
        return prepared(await openStream(input.path, source, { ...opening, warn: () => {} }), options)
      }
      await writeSevenZip(members, sink, { level: sevenZipLevels[compression], cores, again })
      if (opened.comment()) task.warn(message('archive.comments_left_out'))
      return
    }
    case 'tar-gz': {
      const packed = new GzipSink(sink, { level: deflateLevels[compression], cores })
      await writeTar(members, packed, comment)
      return packed.end()
    }
    case 'tar-bz2':
    case 'tar-xz':
    case 'tar-zst': {
      const format = target === 'tar-xz' ? 'xz' : 'bzip2'
      await using packed =
        target === 'tar-zst'
          ? new ZstdSink(sink, { level: zstdLevels[compression] })
          : new SevenZipSink(sink, { format, level: sevenZipLevels[compression], cores })
      await writeTar(members, packed, comment)
      // Awaited here, since its resources are released at the end of this block.
      await packed.end()
      return
    }
    default:
      return writeTar(members, sink, comment)
  }
}

/** The files of an archive, packed for whoever makes a folder of them, where links would lead elsewhere; a single one by itself. */
async function packContents(
  task: ArchiveTask,
  source: ArchiveFormat,
  sink: FileSink,
  opening: OpenOptions,
): Promise<Output[]> {
  const { input, folder, cores, progress, warn } = task
  const opened = await openStream(input.path, source, opening)
  let [files, links, last] = [0, 0, '']
  async function* members() {
    for await (const member of followed(opened.members(), totalOf(opened, task), progress)) {
      const { kind, path } = member.entry
      if (kind === 'symlink') links++
      else if (kind !== 'folder') [files, last] = [files + 1, path]
      if (kind !== 'symlink') yield member
    }
  }
  await writeZip(members(), sink, { level: 0, cores })
  await sink.end()
  if (links > 0) warn(message('archive.links_left_out', { count: links }))
  const packed = join(folder, PACKED)
  if (files !== 1) return files === 0 ? [] : [{ path: packed, files }]
  const path = join(folder, 'only')
  await unpackEach(packed, content => writeFile(path, content))
  return [{ path, name: basename(last) }]
}

async function writeImage(
  task: ArchiveTask,
  source: ArchiveFormat,
  sink: FileSink,
  opening: OpenOptions,
): Promise<void> {
  const { input, options } = task
  const listed = await openListed(input.path, source, opening)
  const archive = options.deterministic ? withoutTimes(listed) : listed
  if (archive.comment || archive.entries.some(({ comment }) => comment)) {
    task.warn(message('archive.comments_left_out'))
  }
  const total = archive.entries.reduce((sum, { size }) => sum + size, 0)
  const contents = () => followed(archive.contents(), total, task.progress)
  const date = options.deterministic ? NO_DATE : new Date()
  const losses = await writeIso({ ...archive, contents }, sink, { label: input.stem, date })
  if (losses.symlinks > 0) task.warn(message('iso.symlinks_hidden', { count: losses.symlinks }))
  if (losses.large > 0) task.warn(message('iso.large_files', { count: losses.large }))
}

const openOptions = ({ input: { stem }, options: { password, encoding }, cores, warn }: ArchiveTask) => ({
  password: password || undefined,
  encoding,
  stem,
  cores,
  warn,
})

/** Expected size of its files; a multiple of the compressed size if the listing is unknown. */
const totalOf = ({ contentBytes }: OpenedStream, { input, source }: ArchiveTask) =>
  contentBytes ?? (source === 'tar' ? input.bytes : 4 * input.bytes)

const prepared = (opened: OpenedStream, { deterministic }: ArchiveOptions): AsyncIterable<Member> =>
  deterministic ? timeless(opened.members()) : opened.members()

async function* timeless<Each extends Member>(members: AsyncIterable<Each>): AsyncGenerator<Each> {
  for await (const member of members) yield { ...member, entry: withoutTime(member.entry) }
}

const withoutTime = (entry: ArchiveEntry): ArchiveEntry => ({ ...entry, modified: null })

const withoutTimes = (archive: Archive): Archive => ({
  ...archive,
  entries: archive.entries.map(withoutTime),
  contents: () => timeless(archive.contents()),
})
