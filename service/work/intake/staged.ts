import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { BlobStore } from '../../store/interfaces/blobs.ts'
import type { Cleanup } from '../../store/interfaces/cleanup.ts'
import type { FileRecord, FileSource, FileStore, NewFile } from '../../store/interfaces/files.ts'
import { guid } from '../../store/interfaces/ids.ts'
import { fileBlobs } from '../../store/interfaces/keys.ts'
import { assertUnchanged, FileChangedError, sourceAt } from '../../store/interfaces/source.ts'
import type { UploadedFile } from './upload.ts'

/** What is known about a file before it is staged. By default it was added now. */
type Known = Pick<NewFile, 'format' | 'measure'> &
  Partial<Pick<NewFile, 'relativePath' | 'originalPath' | 'modifiedAt' | 'problem'>> & {
    addedAt?: number | undefined
  }

/** Files between drop and conversion. They are kept for a while after use, so that a job can be repeated. */
export class StagedFiles {
  readonly #store: FileStore
  readonly #blobs: BlobStore
  readonly #cleanup: Cleanup

  constructor(store: FileStore, blobs: BlobStore, cleanup: Cleanup) {
    this.#store = store
    this.#blobs = blobs
    this.#cleanup = cleanup
  }

  /** Takes over an uploaded file. */
  async add(accountId: string, file: UploadedFile, known: Known): Promise<FileRecord> {
    const id = guid()
    await this.#blobs.put(fileBlobs.content(id), file.path)
    return this.#record(id, accountId, file, known, { kind: 'blob' })
  }

  /**
   * Stages a file of this machine in place: the blob store shares its bytes where the disk supports that, otherwise it
   * is read in place.
   */
  async addLocal(accountId: string, file: UploadedFile, known: Known): Promise<FileRecord> {
    const id = guid()
    const source = await sourceAt(file.path)
    const cloned = await this.#blobs.clone(fileBlobs.content(id), file.path)
    return this.#record(id, accountId, file, known, cloned ? { kind: 'blob' } : source)
  }

  /** The same file once more, with content of its own, so that it can become something else as well. */
  async repeat({ id: original, accountId, name, bytes, source, ...known }: FileRecord): Promise<FileRecord> {
    const id = guid()
    const { format, measure, problem, relativePath, originalPath, modifiedAt, addedAt } = known
    if (source.kind === 'blob') await this.#blobs.copy(fileBlobs.content(original), fileBlobs.content(id))
    const facts = { format, measure, problem, relativePath, originalPath, modifiedAt, addedAt }
    return this.#record(id, accountId, { name, bytes }, facts, source)
  }

  async #record(
    id: string,
    accountId: string,
    { name, bytes }: Pick<UploadedFile, 'name' | 'bytes'>,
    { addedAt = Date.now(), ...known }: Known,
    source: FileSource,
  ): Promise<FileRecord> {
    try {
      return await this.#store.add({
        ...{ relativePath: null, originalPath: null, modifiedAt: null, problem: null, ...known },
        ...{ id, accountId, name, bytes, source, addedAt },
      })
    } catch (error) {
      await this.#cleanup.blobs(fileBlobs.all(id))
      throw error
    }
  }

  /** An account's file; using it extends its retention. */
  async use(id: string, accountId: string): Promise<FileRecord | undefined> {
    return (await this.#store.use([id], accountId))[0]
  }

  /** The same of one that is as it was when it was staged. @throws RequestError request.no_files */
  async unchanged(id: string, accountId: string): Promise<FileRecord> {
    const file = await this.use(id, accountId)
    if (!file) throw fileGone()
    await checkUnchanged(file)
    return file
  }

  /** Copies the content to another key as well; a file that is read in place stays where it is. */
  async copyTo({ id, source }: FileRecord, key: string): Promise<void> {
    if (source.kind === 'blob') await this.#blobs.copy(fileBlobs.content(id), key)
  }

  /** Removes those of these files that belong to an account, and returns their ids. */
  async remove(ids: readonly string[], accountId: string): Promise<string[]> {
    const removed = await this.#store.remove(ids, accountId)
    for (const id of removed) await this.#cleanup.blobs(fileBlobs.all(id))
    return removed
  }
}

/** The refusal of what needs a staged file that is not there any more. */
export const fileGone = () => new RequestError('request.no_files', message('request.file_gone'))

/** @throws RequestError request.no_files if a file of this machine was changed, moved or deleted since it was staged */
export async function checkUnchanged({ source, name }: Pick<FileRecord, 'source' | 'name'>): Promise<void> {
  try {
    await assertUnchanged(source)
  } catch (error) {
    if (!(error instanceof FileChangedError)) throw error
    throw new RequestError('request.no_files', message('request.file_changed', { name }))
  }
}
