/** The script of an engine's thread: does the work it was started for and posts the answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { denyNetwork } from '../confinement/network.ts'

denyNetwork()

/** Works that run in threads, each imported only by the thread that runs it. */
const works = {
  libheif: async () => (await import('./libheif/decode.ts')).decode,
  libraw: async () => (await import('./libraw/develop.ts')).develop,
  office: async () => (await import('./office/kit.ts')).serve,
}

export type ThreadWorks = typeof works

const { name, input } = workerData as { name: keyof ThreadWorks; input: never }

try {
  const work = await works[name]()
  const { answer, transfer } = await work(input)
  parentPort?.postMessage({ answer }, transfer)
} catch (error) {
  parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
}
