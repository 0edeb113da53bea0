/** A thread that kills the worker's process group once the service is no longer its parent. */
import { workerData } from 'node:worker_threads'
import { endGroup } from './lifeline.ts'

/** Time between two checks of the parent's id. */
const INTERVAL_MS = 250

setInterval(() => {
  if (process.ppid !== workerData) endGroup()
}, INTERVAL_MS)
