/** A format: the names people use for it, its file name suffixes, and the MIME type of a download. */

export interface Format {
  /** Name for people. */
  label: string
  /** File name suffixes without the leading dot; the first one is used for output. */
  suffixes: readonly string[]
  /** Other words accepted for the key in requests, besides the suffixes. */
  aliases?: readonly string[]
  mime: string
  /** For a group: the keys of its members. A group's own suffixes are only for files that no member claims. */
  members?: readonly string[]
}

const open = 'application/vnd.oasis.opendocument'
const office = 'application/vnd.openxmlformats-officedocument'

const table = {
  // Images
  apng: { label: 'APNG', suffixes: ['apng'], mime: 'image/apng' },
  avif: { label: 'AVIF', suffixes: ['avif'], mime: 'image/avif' },
  bmp: { label: 'BMP', suffixes: ['bmp', 'dib'], mime: 'image/bmp' },
  cr2: { label: 'Canon CR2', suffixes: ['cr2'], mime: 'image/x-canon-cr2' },
  cr3: { label: 'Canon CR3', suffixes: ['cr3'], mime: 'image/x-canon-cr3' },
  dds: { label: 'DDS', suffixes: ['dds'], mime: 'image/vnd-ms.dds' },
  emf: { label: 'EMF', suffixes: ['emf', 'emz'], mime: 'image/emf' },
  exr: { label: 'OpenEXR', suffixes: ['exr'], mime: 'image/x-exr' },
  gif: { label: 'GIF', suffixes: ['gif'], mime: 'image/gif' },
  hdr: { label: 'Radiance HDR', suffixes: ['hdr', 'rgbe'], mime: 'image/vnd.radiance' },
  heic: { label: 'HEIC', suffixes: ['heic', 'heif', 'hif'], mime: 'image/heic' },
  icns: { label: 'ICNS', suffixes: ['icns'], mime: 'image/x-icns' },
  ico: { label: 'ICO', suffixes: ['ico'], mime: 'image/vnd.microsoft.icon' },
  jp2: { label: 'JPEG 2000', suffixes: ['jp2', 'j2k', 'j2c', 'jpx', 'jpf'], mime: 'image/jp2' },
  jpg: { label: 'JPEG', suffixes: ['jpg', 'jpeg', 'jpe', 'jfif'], mime: 'image/jpeg' },
  jxl: { label: 'JPEG XL', suffixes: ['jxl'], mime: 'image/jxl' },
  lottie: { label: 'Lottie', suffixes: ['lottie', 'lot', 'json'], mime: 'application/zip+dotlottie' },
  nef: { label: 'Nikon NEF', suffixes: ['nef'], mime: 'image/x-nikon-nef' },
  pict: { label: 'PICT', suffixes: ['pict', 'pct', 'pic'], mime: 'image/x-pict' },
  png: { label: 'PNG', suffixes: ['png'], mime: 'image/png' },
  psd: { label: 'Photoshop', suffixes: ['psd', 'psb'], mime: 'image/vnd.adobe.photoshop' },
  qoi: { label: 'QOI', suffixes: ['qoi'], mime: 'image/qoi' },
  raw: {
    label: 'Camera RAW',
    suffixes:
      'arw dng orf pef raf rw2 srw kdc crw dcr erf mef mos mrw nrw rwl sr2 srf x3f iiq 3fr fff raw'.split(
        ' ',
      ),
    mime: 'image/x-dcraw',
    members: ['cr2', 'cr3', 'nef'],
  },
  svg: { label: 'SVG', suffixes: ['svg', 'svgz'], mime: 'image/svg+xml' },
  tga: { label: 'TGA', suffixes: ['tga', 'icb', 'vda', 'vst'], mime: 'image/x-tga' },
  tgs: { label: 'Telegram sticker', suffixes: ['tgs'], mime: 'application/x-tgsticker' },
  tiff: { label: 'TIFF', suffixes: ['tiff', 'tif'], mime: 'image/tiff' },
  wmf: { label: 'WMF', suffixes: ['wmf', 'wmz'], mime: 'image/wmf' },
  webp: { label: 'WebP', suffixes: ['webp'], mime: 'image/webp' },

  // Documents
  'bank-statement': { label: 'Bank statement', suffixes: [], mime: 'application/pdf', members: ['pdf'] },
  doc: { label: 'Word 97–2003', suffixes: ['doc', 'dot'], mime: 'application/msword' },
  docx: {
    label: 'Word',
    suffixes: ['docx', 'docm', 'dotx', 'dotm'],
    mime: `${office}.wordprocessingml.document`,
  },
  files: { label: 'Several files', suffixes: [], mime: 'application/octet-stream' },
  adoc: { label: 'AsciiDoc', suffixes: ['adoc', 'asciidoc'], mime: 'text/asciidoc' },
  docbook: { label: 'DocBook', suffixes: ['dbk', 'docbook'], mime: 'application/docbook+xml' },
  eml: { label: 'E-mail', suffixes: ['eml'], mime: 'message/rfc822' },
  mbox: { label: 'Mailbox', suffixes: ['mbox', 'mbx'], mime: 'application/mbox' },
  msg: { label: 'Outlook message', suffixes: ['msg'], mime: 'application/vnd.ms-outlook' },
  ipynb: { label: 'Jupyter', suffixes: ['ipynb'], mime: 'application/x-ipynb+json' },
  org: { label: 'Org', suffixes: ['org'], mime: 'text/org' },
  rst: { label: 'reStructuredText', suffixes: ['rst', 'rest'], mime: 'text/x-rst' },
  tex: { label: 'LaTeX', suffixes: ['tex', 'latex', 'ltx'], mime: 'application/x-tex' },
  textpack: {
    label: 'Text with pictures',
    suffixes: ['textpack'],
    mime: 'application/zip',
    members: ['zip'],
  },
  typ: { label: 'Typst', suffixes: ['typ'], mime: 'text/vnd.typst' },
  md: { label: 'Markdown', suffixes: ['md', 'markdown', 'mkd'], mime: 'text/markdown' },
  pdf: { label: 'PDF', suffixes: ['pdf'], mime: 'application/pdf' },
  pdfa: { label: 'PDF/A', suffixes: ['pdf'], mime: 'application/pdf' },
  html: { label: 'HTML', suffixes: ['html', 'htm', 'xhtml'], mime: 'text/html' },
  key: { label: 'Keynote', suffixes: ['key'], mime: 'application/vnd.apple.keynote' },
  numbers: { label: 'Numbers', suffixes: ['numbers'], mime: 'application/vnd.apple.numbers' },
  pages: { label: 'Apple Pages', suffixes: ['pages'], mime: 'application/vnd.apple.pages' },
  odg: { label: 'OpenDocument drawing', suffixes: ['odg', 'otg'], mime: `${open}.graphics` },
  odp: { label: 'OpenDocument slides', suffixes: ['odp', 'otp'], mime: `${open}.presentation` },
  ods: { label: 'OpenDocument sheet', suffixes: ['ods', 'ots'], mime: `${open}.spreadsheet` },
  odt: { label: 'OpenDocument text', suffixes: ['odt', 'ott'], mime: `${open}.text` },
  ppt: { label: 'PowerPoint 97–2003', suffixes: ['ppt', 'pps'], mime: 'application/vnd.ms-powerpoint' },
  pptx: {
    label: 'PowerPoint',
    suffixes: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
    mime: `${office}.presentationml.presentation`,
  },
  rtf: { label: 'RTF', suffixes: ['rtf'], mime: 'application/rtf' },
  word: {
    label: 'Word document',
    suffixes: ['docx'],
    mime: `${office}.wordprocessingml.document`,
    members: ['doc', 'docx'],
  },
  xls: { label: 'Excel 97–2003', suffixes: ['xls', 'xlt'], mime: 'application/vnd.ms-excel' },
  xlsx: {
    label: 'Excel',
    suffixes: ['xlsx', 'xlsm', 'xlsb', 'xltx', 'xltm'],
    mime: `${office}.spreadsheetml.sheet`,
  },

  // Data
  csv: { label: 'CSV', suffixes: ['csv', 'tsv', 'tab'], mime: 'text/csv' },
  json: { label: 'JSON', suffixes: ['json', 'jsonl', 'ndjson'], mime: 'application/json' },
  ics: { label: 'Calendar', suffixes: ['ics', 'ical'], mime: 'text/calendar' },
  vcf: { label: 'Contacts', suffixes: ['vcf', 'vcard'], mime: 'text/vcard' },
  yaml: { label: 'YAML', suffixes: ['yaml', 'yml'], mime: 'application/yaml' },

  // Audio
  aac: { label: 'AAC', suffixes: ['aac', 'adts'], mime: 'audio/aac' },
  ac3: { label: 'Dolby Digital', suffixes: ['ac3', 'eac3'], mime: 'audio/ac3' },
  aiff: { label: 'AIFF', suffixes: ['aiff', 'aif', 'aifc'], mime: 'audio/aiff' },
  amr: { label: 'AMR', suffixes: ['amr', 'awb'], mime: 'audio/amr' },
  audio: {
    label: 'Any recording',
    suffixes: [],
    mime: 'application/octet-stream',
    members:
      'mp3 wav m4a flac ogg opus aac wma m4b webm mp4 mkv mov avi flv mpg ogv ts wmv ac3 aiff amr caf dsf m4r mka tta weba wv'.split(
        ' ',
      ),
  },
  caf: { label: 'Core Audio', suffixes: ['caf'], mime: 'audio/x-caf' },
  dsf: { label: 'DSD', suffixes: ['dsf'], mime: 'audio/x-dsf' },
  eac3: { label: 'Dolby Digital Plus', suffixes: ['eac3'], mime: 'audio/eac3' },
  flac: { label: 'FLAC', suffixes: ['flac'], mime: 'audio/flac' },
  m4a: { label: 'M4A', suffixes: ['m4a'], mime: 'audio/mp4' },
  m4b: { label: 'M4B audiobook', suffixes: ['m4b'], mime: 'audio/mp4' },
  videos: { label: 'Several videos', suffixes: [], mime: 'application/octet-stream' },
  recordings: { label: 'Several recordings', suffixes: [], mime: 'application/octet-stream' },
  m4r: { label: 'iPhone ringtone', suffixes: ['m4r'], mime: 'audio/mp4' },
  mka: { label: 'Matroska audio', suffixes: ['mka'], mime: 'audio/x-matroska' },
  mp3: { label: 'MP3', suffixes: ['mp3'], mime: 'audio/mpeg' },
  ogg: { label: 'Ogg Vorbis', suffixes: ['ogg', 'oga'], mime: 'audio/ogg' },
  opus: { label: 'Opus', suffixes: ['opus'], mime: 'audio/ogg' },
  paf: { label: 'PARIS audio', suffixes: ['paf'], mime: 'audio/x-paf' },
  tta: { label: 'True Audio', suffixes: ['tta'], mime: 'audio/x-tta' },
  wav: { label: 'WAV', suffixes: ['wav', 'wave'], mime: 'audio/wav' },
  weba: { label: 'WebM audio', suffixes: ['weba'], mime: 'audio/webm' },
  wma: { label: 'WMA', suffixes: ['wma'], mime: 'audio/x-ms-wma' },
  wv: { label: 'WavPack', suffixes: ['wv'], mime: 'audio/x-wavpack' },

  // Text of media files
  ass: { label: 'Subtitles (ASS)', suffixes: ['ass', 'ssa'], mime: 'text/x-ssa' },
  srt: { label: 'Subtitles (SRT)', suffixes: ['srt'], mime: 'application/x-subrip' },
  microdvd: { label: 'Subtitles (MicroDVD)', suffixes: ['sub'], mime: 'text/x-microdvd' },
  sup: { label: 'Blu-ray subtitles (SUP)', suffixes: ['sup'], mime: 'application/octet-stream' },
  txt: { label: 'Plain text', suffixes: ['txt'], mime: 'text/plain' },
  vobsub: { label: 'DVD subtitles (VobSub)', suffixes: ['sub'], mime: 'application/octet-stream' },
  vtt: { label: 'Subtitles (VTT)', suffixes: ['vtt'], mime: 'text/vtt' },

  // Video
  '3gp': { label: '3GP', suffixes: ['3gp'], mime: 'video/3gpp' },
  avi: { label: 'AVI', suffixes: ['avi'], mime: 'video/x-msvideo' },
  flv: { label: 'Flash video', suffixes: ['flv'], mime: 'video/x-flv' },
  mkv: { label: 'Matroska', suffixes: ['mkv'], mime: 'video/x-matroska' },
  mov: { label: 'QuickTime', suffixes: ['mov', 'qt'], mime: 'video/quicktime' },
  mp4: { label: 'MP4', suffixes: ['mp4', 'm4v', '3gp', '3g2'], mime: 'video/mp4' },
  mpg: { label: 'MPEG', suffixes: ['mpg', 'mpeg', 'vob'], mime: 'video/mpeg' },
  ogv: { label: 'Ogg video', suffixes: ['ogv'], mime: 'video/ogg' },
  ts: { label: 'MPEG transport stream', suffixes: ['ts', 'mts', 'm2ts'], mime: 'video/mp2t' },
  webm: { label: 'WebM', suffixes: ['webm'], mime: 'video/webm' },
  wmv: { label: 'Windows Media Video', suffixes: ['wmv'], mime: 'video/x-ms-wmv' },

  // Ebooks
  cbr: { label: 'Comic (CBR)', suffixes: ['cbr'], mime: 'application/vnd.comicbook-rar' },
  cbz: { label: 'Comic (CBZ)', suffixes: ['cbz'], mime: 'application/vnd.comicbook+zip' },
  azw3: { label: 'Kindle AZW3', suffixes: ['azw3'], mime: 'application/vnd.amazon.ebook' },
  epub: { label: 'EPUB', suffixes: ['epub'], mime: 'application/epub+zip' },
  fb2: { label: 'FictionBook', suffixes: ['fb2', 'fb2.zip'], mime: 'application/x-fictionbook+xml' },
  kepub: { label: 'Kobo EPUB', suffixes: ['kepub.epub'], mime: 'application/epub+zip' },
  mobi: { label: 'Mobipocket', suffixes: ['mobi', 'prc'], mime: 'application/x-mobipocket-ebook' },

  // Fonts
  otf: { label: 'OpenType', suffixes: ['otf'], mime: 'font/otf' },
  ttc: { label: 'TrueType collection', suffixes: ['ttc', 'otc'], mime: 'font/collection' },
  ttf: { label: 'TrueType', suffixes: ['ttf'], mime: 'font/ttf' },
  woff: { label: 'WOFF', suffixes: ['woff'], mime: 'font/woff' },
  woff2: { label: 'WOFF2', suffixes: ['woff2'], mime: 'font/woff2' },

  // Archives
  '7z': { label: '7-Zip', suffixes: ['7z'], mime: 'application/x-7z-compressed' },
  bz2: { label: 'BZ2', suffixes: ['bz2'], mime: 'application/x-bzip2' },
  cab: { label: 'Windows cabinet', suffixes: ['cab'], mime: 'application/vnd.ms-cab-compressed' },
  contents: { label: 'Contents', suffixes: [], mime: 'application/octet-stream' },
  cpio: { label: 'CPIO', suffixes: ['cpio'], mime: 'application/x-cpio' },
  deb: { label: 'Debian package', suffixes: ['deb', 'udeb'], mime: 'application/vnd.debian.binary-package' },
  gz: { label: 'GZ', suffixes: ['gz'], mime: 'application/gzip' },
  iso: { label: 'ISO image', suffixes: ['iso'], mime: 'application/x-iso9660-image' },
  rar: { label: 'RAR', suffixes: ['rar'], mime: 'application/vnd.rar' },
  tar: { label: 'TAR', suffixes: ['tar'], mime: 'application/x-tar' },
  'tar-bz2': {
    label: 'TAR.BZ2',
    suffixes: ['tar.bz2', 'tbz2', 'tbz'],
    aliases: ['tar.bz2'],
    mime: 'application/x-bzip2',
  },
  'tar-gz': { label: 'TAR.GZ', suffixes: ['tar.gz', 'tgz'], aliases: ['tar.gz'], mime: 'application/gzip' },
  'tar-xz': { label: 'TAR.XZ', suffixes: ['tar.xz', 'txz'], aliases: ['tar.xz'], mime: 'application/x-xz' },
  'tar-zst': {
    label: 'TAR.ZST',
    suffixes: ['tar.zst', 'tzst'],
    aliases: ['tar.zst'],
    mime: 'application/zstd',
  },
  xz: { label: 'XZ', suffixes: ['xz'], mime: 'application/x-xz' },
  zip: { label: 'ZIP', suffixes: ['zip'], mime: 'application/zip' },
  zst: { label: 'Zstandard', suffixes: ['zst'], mime: 'application/zstd' },
} satisfies Record<string, Format>

export type FormatKey = keyof typeof table

export const formats: Readonly<Record<FormatKey, Format>> = table

export const isFormatKey = (word: string): word is FormatKey => Object.hasOwn(table, word)

/** Formats that are only written: their suffix also belongs to another key, so they are never recognised by name. */
const writtenOnly = new Set<FormatKey>(['pdfa', 'word', 'kepub', 'apng', '3gp', 'eac3'])

const bySuffix = new Map<string, FormatKey>()
for (const [key, format] of Object.entries(formats) as [FormatKey, Format][]) {
  if (writtenOnly.has(key)) continue
  for (const suffix of format.suffixes) bySuffix.set(suffix, key)
}

/** The format that has this suffix, including compound ones such as `tar.gz`. */
export const formatOfSuffix = (suffix: string): FormatKey | undefined => bySuffix.get(suffix.toLowerCase())

/**
 * Splits a file name into stem, suffix and the suffix's format. The longest known suffix wins (`a.tar.gz` is `tar-gz`);
 * an unknown suffix is returned without a format.
 */
export function splitName(name: string): { stem: string; suffix: string; format: FormatKey | undefined } {
  const parts = name.split('.')
  for (const count of [2, 1]) {
    if (parts.length <= count) continue
    const suffix = parts.slice(-count).join('.')
    const format = formatOfSuffix(suffix)
    if (format)
      return { stem: parts.slice(0, -count).join('.') || name, suffix: suffix.toLowerCase(), format }
  }
  const suffix = parts.length > 1 ? (parts.at(-1) ?? '').toLowerCase() : ''
  return { stem: suffix ? parts.slice(0, -1).join('.') || name : name, suffix, format: undefined }
}

/** The format that a word in a request means: a key, an alias or a suffix, in any case. */
export function formatOfWord(word: string): FormatKey | undefined {
  const lower = word.trim().toLowerCase().replace(/^\./, '')
  if (isFormatKey(lower)) return lower
  for (const [key, format] of Object.entries(formats) as [FormatKey, Format][]) {
    if (format.aliases?.includes(lower)) return key
  }
  return formatOfSuffix(lower)
}

/** MIME type by the suffix of a file name, for outputs that are not in the job's target format. */
export function mimeOfName(name: string): string {
  const lower = name.toLowerCase()
  let best: Format | undefined
  let length = 0
  for (const format of Object.values(formats)) {
    for (const suffix of format.suffixes) {
      // Of several formats with the suffix, the last one, as in reading.
      if (lower.endsWith(`.${suffix}`) && suffix.length >= length) {
        best = format
        length = suffix.length
      }
    }
  }
  return best?.mime ?? 'application/octet-stream'
}
