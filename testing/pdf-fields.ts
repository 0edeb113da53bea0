import { pdfStream, rawPdf } from './pdf.ts'

/** A form whose fields have values but no appearances; `needAppearances` asks viewers to create them. */
export const fieldsPdf = (needAppearances: boolean): Buffer => {
  const fields = [
    '/FT /Tx /T (name) /V (Ada Lovelace) /DA (/Helv 12 Tf 0 g) /Rect [80 250 300 275]',
    // A value with several lines, inherited from its parent.
    '/Parent 13 0 R /Rect [80 180 300 240]',
    '/FT /Ch /Ff 131072 /T (city) /V (two) /Opt [[(one) (Rome)] [(two) (Paris)]] /DA (/Helv 12 Tf 0 g) /Rect [80 140 300 160]',
    '/FT /Btn /T (yes) /V /Yes /AS /Yes /Rect [80 100 100 120]',
    '/FT /Tx /T (far) /V <FEFF67714EAC0020044F0436> /Rect [80 60 300 80]',
    '/FT /Tx /Ff 16777216 /MaxLen 6 /T (cells) /V (X8Z) /DA (/Helv 0 Tf 0 g) /Rect [80 30 300 50]',
    '/FT /Tx /T (broken) /V 7 /Rect (none)',
  ]
  const numbers = fields.map((_, index) => `${index + 6} 0 R`).join(' ')
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${numbers}] /DA (/Helv 0 Tf 0 g)
      /DR << /Font << /Helv 5 0 R >> >> /NeedAppearances ${needAppearances} >> >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots [${numbers}]
      /Resources << /Font << /Helv 5 0 R >> >> >>`,
    pdfStream('', 'BT /Helv 12 Tf 20 258 Td (Name:) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...fields.map(field => `<< /Type /Annot /Subtype /Widget /F 4 ${field} >>`),
    `<< /FT /Tx /Ff 4096 /T (notes) /DA (/Helv 10 Tf 0 g) /Kids [7 0 R]
      /V (First line of the notes\\nand a second that is long enough to be broken in two) >>`,
  ])
}
