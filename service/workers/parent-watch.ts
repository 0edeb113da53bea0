/** A thread that ends its worker's process group once the service is not the parent any more. */
import { workerData } from 'node:worker_threads'
import { endGroup } from './lifeline.ts'

/** Milliseconds between two looks at who the parent is. */
const INTERVAL_MS = 250

setInterval(() => {
  if (process.ppid !== workerData) endGroup()
}, INTERVAL_MS)
