import { delimiter } from 'node:path'

/** The model folders that a worker gets in REFILE_MODELS, the downloaded ones first. */
export const modelFolders = (): string[] => (process.env.REFILE_MODELS ?? '').split(delimiter).filter(Boolean)
