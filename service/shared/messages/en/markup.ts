/** Messages about Markdown, and about Word documents that become text. */
export const markup = {
  'markdown.not_text': 'This is not a text file, although its name says so.',
  'mail.encrypted':
    'This e-mail is encrypted, and only its recipient can read it. Save it without encryption in your mail program.',
  'mail.no_attachments': 'Nothing is attached to this e-mail.',
  'mail.attachments_named':
    'The attached files are only named: PDF/A and a rebuilt PDF hold no others. Leave these options out to have the files in the PDF.',
  'mail.none': 'The file is no e-mail, or nothing is left of it.',
  'markdown.by_layout':
    'The chosen options need the layout of the page, in which formulas and readings above words do not come out right. Leave pages, bookmarks, tags and pictures as they are to keep them.',
  'markdown.by_structure':
    'The page has formulas or words with readings, which need a setting of their own: its text and structure are kept, its colours and layout are not.',
  'markdown.empty': 'The file has no text in it.',
  'text.none_in_archive':
    'The archive holds no text with pictures, such as a Markdown file (.md) or a web page (.html).',
  'text.not_understood':
    'Parts of the text are in commands that are not understood here: {names}. What they hold was kept as text where there is some.',
  'text.one_of_several':
    '{name} was read of the texts in the archive; {count, plural, one {another was} other {# others were}} left out. Convert them by themselves.',
  'markdown.too_large': 'The text is larger than {megabytes} MB. Split it first.',
  'markdown.cannot_be_set':
    'The document is nested or shaped in a way that cannot be set as PDF. Simplify it.',
  'markdown.pictures_left_out':
    '{count, plural, one {A picture is not part of the file and was} other {# pictures are not part of the file and were}} replaced by a note. Only pictures that are embedded in the text (data: addresses), or that come with it in one ZIP, are shown.',
  'markdown.pictures_damaged':
    '{count, plural, one {A picture in the text is damaged and was} other {# pictures in the text are damaged and were}} replaced by a note.',
  'markdown.letters_missing':
    'No font on this computer has {count, plural, one {one of the letters} other {# of the letters}}. A placeholder is shown instead.',
  'markdown.pictures_undescribed':
    '{count, plural, one {A picture has} other {# pictures have}} no description, so this PDF does not claim to be accessible (PDF/UA). Describe them in the document and convert it again.',
  'markdown.not_accessible':
    'This PDF does not claim to be accessible (PDF/UA), since a part of the document, such as an unusual letter, has no accessible form. Replace it if you need the claim.',
  'markdown.not_tagged':
    'The document is too long for tags, which screen readers follow. Split it to have accessible PDFs.',
  'word.too_large': 'The document unpacks to more than {megabytes} MB.',
  'word.older_format':
    'This is a document of an older Word (.doc) under the name of a newer one (.docx). Rename it to .doc.',
  'word.empty': 'The document has no text, tables or pictures in it.',
  'word.formulas_blank': 'The formulas of the document are blank in a DOC. Choose ODT or PDF to keep them.',
  'word.chunks_lost':
    '{count, plural, one {A document that is inserted into this one is in a format that cannot be read here and was left out.} other {# documents that are inserted into this one are in formats that cannot be read here and were left out.}}',
  'word.objects_lost':
    '{count, plural, one {A chart or drawing} other {# charts or drawings}} could not be kept, since this format has no place for them.',
  'word.drawings_kept':
    '{count, plural, one {A drawing is} other {# drawings are}} in a format of Windows (EMF or WMF). They were kept as files, which few programs show.',
  'word.pictures_lost':
    '{count, plural, one {A picture} other {# pictures}} could not be kept: the format of the picture is unknown, or the picture is not in the file.',
} as const
