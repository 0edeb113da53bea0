import type { Readable } from 'node:stream'
import { type FormatKey, isFormatKey, splitName } from '../../convert/catalogue/formats.ts'
import type { TaskInput } from '../../convert/catalogue/task.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { BlobStore, ByteRange, LocalFile } from '../../store/interfaces/blobs.ts'
import type { FileRecord, FileSource } from '../../store/interfaces/files.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { fileBlobs, jobBlobs } from '../../store/interfaces/keys.ts'
import { checkoutSource, openSource, sourceAt } from '../../store/interfaces/source.ts'
import { fileGone, type StagedFiles } from '../intake/staged.ts'
import { isTerminal } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Identifies a file to preview: a staged file, or the input or output of a job. */
export interface ViewedRef {
  kind: 'staged' | 'input' | 'output'
  id: string
}

/** Such a file, found. */
export interface Viewed {
  /** Id of the staged file or job. */
  id: string
  /** Identifies the content for the lifetime of the service. */
  key: string
  name: string
  bytes: number
  format: FormatKey | null
  probe: TaskInput['probe']
  /** @throws FileChangedError if a file of this machine has changed since */
  checkout(): Promise<LocalFile>
  /** Reads it, or a range of it, without fetching the whole file. @throws the same */
  open(range?: ByteRange): Promise<Readable>
}

export interface Places {
  files: StagedFiles
  jobs: Jobs
  blobs: BlobStore
}

/** @throws RequestError request.no_files, jobs.not_found, jobs.forbidden, jobs.expired */
export async function findViewed(
  places: Places,
  { kind, id }: ViewedRef,
  accountId: string,
): Promise<Viewed> {
  if (kind === 'staged') {
    const file = await places.files.use(id, accountId)
    if (!file) throw fileGone()
    return staged(places, file)
  }
  const job = await places.jobs.get(id, accountId)
  return kind === 'input' ? inputOf(places, job) : outputOf(places, job)
}

/** The input of a job, while it or the file it was made from exists. @throws RequestError jobs.expired */
async function inputOf(places: Places, job: Job): Promise<Viewed> {
  const file = job.fileId === null ? undefined : await places.files.use(job.fileId, job.accountId)
  if (file) return staged(places, file)
  const { inputSource: source, inputFormat, inputName, inputBytes, measure } = job
  if (source.kind === 'blob' && isTerminal(job.status))
    throw new RequestError('jobs.expired', message('preview.input_gone'))
  return {
    id: job.id,
    key: `input:${job.id}`,
    name: inputName,
    bytes: inputBytes,
    format: isFormatKey(inputFormat) ? inputFormat : null,
    probe: measure.probe,
    ...contentAt(places, source, jobBlobs.input(job.id)),
  }
}

/** The output of a job, in the store or in the folder it was saved to. @throws RequestError jobs.expired */
async function outputOf(places: Places, job: Job): Promise<Viewed> {
  const { output, outputKey, savedTo } = job
  const isFile = savedTo !== null && output?.fileCount === 1
  const saved = !isFile ? undefined : await sourceAt(savedTo).catch(() => undefined)
  const isKept = places.jobs.hasOutput(job) && outputKey !== null
  if (!output || !(isKept || saved)) throw new RequestError('jobs.expired')
  return {
    id: job.id,
    key: `output:${job.id}:${job.attempts}`,
    name: output.fileName,
    bytes: job.outputBytes,
    format: splitName(output.fileName).format ?? null,
    probe: undefined,
    ...contentAt(places, (!isKept && saved) || { kind: 'blob' }, outputKey ?? ''),
  }
}

const contentAt = (
  { blobs }: Places,
  source: FileSource,
  key: string,
): Pick<Viewed, 'checkout' | 'open'> => ({
  checkout: () => checkoutSource(blobs, source, key),
  open: range => openSource(blobs, source, key, range),
})

const staged = (places: Places, { id, name, bytes, format, measure, source }: FileRecord): Viewed => ({
  id,
  key: `staged:${id}`,
  name,
  bytes,
  format: format !== null && isFormatKey(format) ? format : null,
  probe: measure.probe,
  ...contentAt(places, source, fileBlobs.content(id)),
})
