/** Why jobs fail, if nothing more precise is known: one message for each code a job can fail with. */
export const jobs = {
  'jobs.timeout': 'The conversion took longer than its time limit and was stopped. Try a smaller file.',
  'jobs.interrupted': 'The service stopped repeatedly while this file was being converted. Submit it again.',
  'jobs.corrupt_input':
    'The file is damaged or incomplete and cannot be read. Check that it opens elsewhere.',
  'jobs.unsupported_input': 'The file is valid but uses a feature that cannot be read yet.',
  'jobs.encrypted_input': 'The file is protected by a password or DRM. Remove the protection first.',
  'jobs.no_audio_track': 'The file has no audio track, so there is nothing to extract.',
  'jobs.too_many_pages': 'The file has more pages than this conversion allows. Split it first.',
  'jobs.too_long': 'The recording is longer than this conversion allows. Split it first.',
  'jobs.too_large': 'The content of the file is larger than this conversion allows.',
  'jobs.engine_crashed': 'The conversion engine stopped unexpectedly on this file. The file may be damaged.',
  'jobs.engine_missing': 'The engine for this conversion is not part of this version of Refile.',
  'transcription.model_not_installed': 'No speech model is installed. Download one in Settings.',
  'jobs.output_too_large': 'The result grew larger than allowed and was discarded.',
  'jobs.disk_full': 'The disk is full. Free some space and convert the file again.',
  'jobs.storage_failed': 'Refile may not use the place where it keeps its files. See the log of the service.',
} as const
