/** A drawing of LibreOffice Draw (ISO/IEC 26300-1, 10), for tests. */
import { strToU8, zipSync } from 'fflate'

const TYPE = 'application/vnd.oasis.opendocument.graphics'
const namespaces = ['office', 'style', 'text', 'drawing', 'xsl-fo-compatible', 'svg-compatible']
  .map(
    (name, at) =>
      `xmlns:${['office', 'style', 'text', 'draw', 'fo', 'svg'][at]}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .join(' ')

/** One page of 20 × 10 cm, red but for a text in its upper left corner. */
export function odgOf(text: string): Uint8Array {
  const content = `<?xml version="1.0"?><office:document-content ${namespaces} office:version="1.2"><office:automatic-styles><style:style style:name="red" style:family="graphic"><style:graphic-properties draw:fill="solid" draw:fill-color="#c81e28" draw:stroke="none"/></style:style></office:automatic-styles><office:body><office:drawing><draw:page draw:name="p" draw:master-page-name="m"><draw:rect draw:style-name="red" svg:x="0cm" svg:y="2cm" svg:width="20cm" svg:height="8cm"/><draw:frame svg:x="0cm" svg:y="0cm" svg:width="20cm" svg:height="2cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page></office:drawing></office:body></office:document-content>`
  const styles = `<?xml version="1.0"?><office:document-styles ${namespaces} office:version="1.2"><office:styles/><office:automatic-styles><style:style style:name="d" style:family="drawing-page"/><style:page-layout style:name="l"><style:page-layout-properties fo:page-width="20cm" fo:page-height="10cm" fo:margin-top="0cm" fo:margin-bottom="0cm" fo:margin-left="0cm" fo:margin-right="0cm" style:print-orientation="landscape"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="m" style:page-layout-name="l" draw:style-name="d"/></office:master-styles></office:document-styles>`
  const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${TYPE}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`
  return zipSync({
    mimetype: [strToU8(TYPE), { level: 0 }],
    'content.xml': strToU8(content),
    'styles.xml': strToU8(styles),
    'META-INF/manifest.xml': strToU8(manifest),
  })
}
