import type { Job, JobError, JobStatus } from '../interfaces/jobs.ts'
import type { Encrypter } from '../sealer.ts'
import { numberOrNull, type Row, textOrNull } from './sql.ts'

/** A row of `jobs` as a job. */
export function toJob(row: Row, encrypter: Encrypter): Job {
  return {
    id: String(row.id),
    seq: Number(row.seq),
    accountId: String(row.account_id),
    origin: row.origin as Job['origin'],
    keyId: textOrNull(row.key_id),
    firstId: String(row.first_id),
    job: String(row.job),
    category: String(row.category),
    targetKey: String(row.target_key),
    status: row.status as JobStatus,
    options: encrypter.decryptStored(String(row.options)),
    furtherSteps: (encrypter.decryptStored(String(row.further_steps)).steps ?? []) as Job['furtherSteps'],
    inputName: String(row.input_name),
    inputFormat: String(row.input_format),
    inputBytes: Number(row.input_bytes),
    inputSource: JSON.parse(String(row.input_source)),
    measure: JSON.parse(String(row.measure)),
    fileId: textOrNull(row.file_id),
    creditCost: Number(row.credit_cost),
    attempts: Number(row.attempts),
    warnings: JSON.parse(String(row.warnings)),
    error:
      row.error_code === null
        ? null
        : { code: row.error_code as JobError['code'], reason: JSON.parse(String(row.error_reason)) },
    output:
      row.output_name === null
        ? null
        : {
            fileName: String(row.output_name),
            contentType: String(row.output_type),
            fileCount: Number(row.output_count),
          },
    outputBytes: Number(row.output_bytes),
    outputKey: textOrNull(row.output_key),
    batchId: textOrNull(row.batch_id),
    savedTo: textOrNull(row.saved_to),
    createdAt: Number(row.created_at),
    startedAt: numberOrNull(row.started_at),
    finishedAt: numberOrNull(row.finished_at),
    expiresAt: numberOrNull(row.expires_at),
  }
}
