/** The script of an engine's thread: does its work and posts the answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { denyNetwork } from '../../../sandbox/confinement/network.ts'

denyNetwork()

/** Work that runs in threads; each module is imported only by the thread that runs it. */
const works = {
  libheif: async () => (await import('../pictures/libheif/decode.ts')).decode,
  libraw: async () => (await import('../pictures/libraw/develop.ts')).develop,
  office: async () => (await import('../documents/office/kit.ts')).serve,
  qpdf: async () => (await import('../pdf/qpdf/run.ts')).run,
  tesseract: async () => (await import('../pdf/ocr/tesseract.ts')).serve,
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
