import { ownValue } from '../../common/own-value.ts'

/** Media types of the files in books, by suffix: https://www.w3.org/TR/epub-33/#sec-core-media-types */
const bySuffix: Record<string, string> = {
  xhtml: 'application/xhtml+xml',
  html: 'application/xhtml+xml',
  htm: 'application/xhtml+xml',
  xht: 'application/xhtml+xml',
  css: 'text/css',
  ncx: 'application/x-dtbncx+xml',
  smil: 'application/smil+xml',
  pls: 'application/pls+xml',
  xml: 'application/xml',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  otf: 'font/otf',
  ttf: 'font/ttf',
  ttc: 'font/collection',
  woff: 'font/woff',
  woff2: 'font/woff2',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  txt: 'text/plain',
  pdf: 'application/pdf',
  json: 'application/json',
}

/** Declared types that are treated as XHTML content documents. */
const documents = new Set([
  'text/html',
  'application/html',
  'text/x-oeb1-document',
  'application/xhtml',
  'text/xhtml',
])
const styles = new Set(['text/x-oeb1-css', 'text/stylesheet'])

/** The media type of a file: the declared one, or the one of its suffix if the declaration says nothing. */
export function mediaTypeOf(href: string, declared?: string): string {
  const type = (declared ?? '').split(';')[0]!.trim().toLowerCase()
  if (documents.has(type)) return bySuffix.xhtml!
  if (styles.has(type)) return bySuffix.css!
  if (type === 'image/jpg') return 'image/jpeg'
  if (/^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream') return type
  const suffix = href.slice(href.lastIndexOf('.') + 1).toLowerCase()
  return ownValue(bySuffix, suffix) ?? 'application/octet-stream'
}

export const isDocument = (mediaType: string): boolean => mediaType === 'application/xhtml+xml'
export const isSvg = (mediaType: string): boolean => mediaType === 'image/svg+xml'
export const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/')

/** The usual suffix of files of a media type; pictures that books cannot hold are named by their type, such as `emf`. */
export const suffixOf = (mediaType: string): string =>
  Object.keys(bySuffix).find(suffix => bySuffix[suffix] === mediaType) ??
  /^image\/(\w+)$/.exec(mediaType)?.[1] ??
  'bin'
