/** Messages about PDF files and their conversions. */
export const pdf = {
  'pdf.engine_missing':
    'The PDF engine does not run on this system. Install Refile again for exactly this platform.',
  'pdf.no_pages': 'The PDF has no pages.',
  'pdf.password_needed':
    'The PDF is password-protected. Enter the password under Password, or remove it first.',
  'pdf.wrong_password': 'The password does not open this PDF. Check it, also for capital letters.',
  'pdf.protected_otherwise':
    'The PDF is protected in a way that cannot be opened, such as by a certificate. Remove the protection first.',
  'pdf.repaired':
    'The file is cut off or damaged. {pages, plural, one {One page was} other {# pages were}} found in it; others may be missing.',
  'pdf.damaged_part':
    'A part of the PDF is damaged and was kept as it is. What it shows may be missing, in the source and in the result.',
  'pdf.no_readable_page': 'No page of the PDF can be read. It may be damaged; check that it opens elsewhere.',
  'pdf.no_page_chosen': 'The PDF has {pages, plural, one {# page} other {# pages}}, and none was chosen.',
  'pdf.pages_left_out':
    '{pages, plural, one {One page is} other {# pages are}} damaged and could not be read. {pages, plural, one {It was} other {They were}} left out.',
  'pdf.pages_drawn_smaller':
    'Pages drawn at a lower resolution because they are too large for {dpi} dpi: {pages}.',
  'pdf.pages_as_pictures':
    'These pages cannot conform to PDF/A as they are and were stored as pictures, with their text behind them: {pages}.',
  'pdf.attachments_left_out': 'The PDF has files attached to it. They were left out.',
  'pdf.no_bookmarks': 'The PDF has no bookmarks by which it could be split.',
  'pdf.protection_left_out':
    'The PDF was protected or restricted, and the result is not. Set a new password to protect it.',
  'pdf.protection_not_kept':
    'The PDF was protected by a password or restricted. The result is not: everyone can open it.',
  'pdf.pages_over_size':
    'These pages are larger than {megabytes} MB by themselves, and each became a file of its own: {pages}.',
  'pdf.stamp_letters_left_out': 'Letters of the stamp that no font here has were left out.',
  'pdf.crop_too_much': 'Some pages would have nothing left and stay as large as they are. Crop less of them.',
  'pdf.pattern_invalid':
    'The pattern is no regular expression: {pattern}. Check its brackets and backslashes.',
  'pdf.pattern_slow':
    'The pattern takes too long to look for. Avoid repetitions within repetitions, such as (a+)+.',
  'pdf.redacted':
    '{places, plural, one {One place was} other {# places were}} blacked out. These pages became pictures with the rest of their text behind: {pages}.',
  'pdf.nothing_redacted': 'Nothing of what was to be blacked out is in the PDF. Check how it is written.',
  'pdf.redact_unread':
    'These pages have no text, so words cannot be found in their pictures: {pages}. Black out areas of them, or recognise their text first.',
  'pdf.redact_impossible':
    'Some of the text would still be in the file, so nothing was written. Choose "Rebuild from pixels" as well.',
  'pdf.nothing_to_extract': 'The PDF has no pictures and no attached files.',
  'pdf.attachments_damaged': 'Attached files left out because they are damaged: {count}.',
  'pdf.one_file_only': 'This needs at least two files. Choose another one as well.',
  'pdf.compare_two': 'Two files are compared, neither more nor less. Choose two.',
  'pdf.no_differences': 'No difference was found: both have the same words, and look the same.',
  'pdf.no_table':
    '{name} is no table. Give the values as CSV, JSON, YAML or a workbook, with a row for each form.',
  'pdf.no_values': 'There are no rows with values below the names of the fields.',
  'pdf.no_fields': 'The first file has no fields to fill in. Choose a PDF form as the first one.',
  'pdf.no_field_matches':
    'No column has the name of a field, so nothing was filled in. The fields of the form: {fields}.',
  'pdf.unknown_fields': 'The form has no fields with these names, so their values were left out: {names}.',
  'pdf.values_refused':
    'These fields do not take the values of these rows, which are too long or no choice of theirs: {names}.',
  'pdf.signatures_left_out':
    'The PDF is signed. A signature is valid for the original only, so it was left out.',
  'pdf.annotations_not_drawn':
    'Some pages have a film, sound, 3D model or comment that has no picture of its own and cannot be drawn. Open the PDF in its own program to see it: {pages}.',

  // Messages about turning the text of PDF files into documents.
  'layout.pages_left_out': 'Damaged pages that were left out: {pages}.',
  'layout.pages_not_recognised': 'Pages that are pictures and whose text was not recognised: {pages}.',
  'layout.text_unreadable':
    'Text on these pages could not be read, because the file stores only its appearance: {pages}.',
  'layout.pictures_left_out':
    'Pictures left out because they are damaged, or too large together with the others: {count}.',
  'layout.files_left_out':
    'Files attached to this PDF are not in the result: {names}. Convert the PDF to ZIP to take them out.',
  'layout.no_text': 'The PDF has no text, and no pictures either.',

  // Messages about text recognition.
  'ocr.language_missing':
    'The data for recognising text in "{language}" are not here. Download them in the settings, under Conversions; for a language that is not listed there, put {language}.traineddata into the folder "tessdata" beside the speech models.',
  'ocr.nothing_found': 'No text was found on these scanned pages: {pages}.',
  'ocr.no_text': 'No text was found in the picture.',

  // Messages about bank statements.
  'statement.no_transactions':
    'No transactions were found: no lines that begin with a date and have an amount. Is this a bank statement?',
  'statement.does_not_add_up':
    '{checks, plural, one {# check} other {# checks}} of the statement failed. The sheet "Checks" says where.',
} as const
