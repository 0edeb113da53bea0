/** Messages about Word, Excel, PowerPoint and RTF files. */
export const office = {
  'office.engine_missing': 'LibreOffice, which is part of Refile, does not start. Install Refile again.',
  'office.not_here':
    'LibreOffice, which converts such documents, is not on this computer. It is downloaded when it is first needed and the internet can be reached; the settings and "refile packs add libreoffice" do it beforehand.',
  'office.password_needed':
    'The document is password-protected. Enter the password under Password, or remove it first.',
  'office.wrong_password': 'The password does not open this document. Check it, also for capital letters.',
  'office.protected_otherwise':
    'The document is protected in a way that cannot be opened. Remove the protection in the program it comes from.',
  'office.protected_old':
    'Files of Office 97 to 2003 with a password cannot be opened. Save it in its program as DOCX, XLSX or PPTX, or without a password.',
  'iwork.only_preview':
    'Only the preview inside the file was converted. For the document itself, export it as PDF in the program it comes from.',
  'iwork.only_first_page':
    'Only the preview of the first page inside the file was converted. For the whole document, export it as PDF in the program it comes from.',
  'iwork.no_preview':
    'The file contains no preview, which is all of it that can be read. Export it as PDF in the program it comes from.',
  'office.not_an_office_file':
    'The file is not a document of Word, Excel or PowerPoint, although its name says so.',
  'office.other_kind':
    'The file holds {found, select, text {a text document} sheet {a workbook} other {a presentation}}. Convert it as such.',
  'office.other_format':
    'The file is a document, but not in the format that its name says. Save it in that format.',
  'office.too_large_unpacked':
    'Unpacked, the document takes more than {megabytes} MB, which is more than this conversion allows.',
  'office.too_many_parts':
    'The document has more than {limit} parts, which is more than this conversion allows.',
  'office.sheet_too_far':
    'A sheet reaches over {columns} columns and {rows} rows, which makes too many pages. Delete the cells far away from the others.',
  'office.beyond_xls':
    'A sheet of an XLS holds {rows} rows and {columns} columns at most, and the workbook has more. Choose XLSX or ODS, or split it first.',
  'office.pictures_damaged':
    '{count, plural, one {A picture in the document is damaged and was} other {# pictures in the document are damaged and were}} left out.',
  'office.not_loaded':
    'LibreOffice cannot open the document. It may be damaged or incomplete; check that it opens elsewhere.',
  'office.nothing_to_print': 'The document has nothing that could be printed.',
  'office.no_page_chosen': 'The document has none of the pages that were chosen.',
  'office.empty_result': 'The document has content, but nothing of it could be drawn. It may be damaged.',
  'office.cut_off': 'The end of the document is missing. What is left of it was converted.',
  'office.untagged':
    'The PDF has no tags for screen readers: the workbook has more than {limit, number} cells.',
  'accessible.picture':
    'Page {pages}: {count, plural, one {a picture} other {# pictures}} without a description, so this PDF does not claim to be accessible (PDF/UA). Add alternative text in the document, or mark what only decorates.',
  'accessible.formula':
    'Page {pages}: {count, plural, one {a formula} other {# formulas}} without a description, so this PDF does not claim to be accessible (PDF/UA). Add alternative text in the document.',
  'accessible.text':
    'Page {pages}: text outside of the reading order, such as a part of the background, so this PDF does not claim to be accessible (PDF/UA). Move it into the slide or the text.',
  'accessible.files':
    'This PDF does not claim to be accessible (PDF/UA), since these files are not, or have no tags: {names}. Use the documents that they were made of, and text recognition for scans.',
} as const
