/** Reads mails as they are sent: RFC 5322, RFC 2045 to 2049. */
import PostalMime, { type Address, type Email } from 'postal-mime'
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { decodeText } from '../../../common/text.ts'
import type { Document } from '../../model.ts'
import { joinedDocuments } from '../joined.ts'
import { documentOf, type Mail, refuseEncrypted } from './mail.ts'
import { signedContent } from './signed.ts'
import { filesInTnef } from './tnef.ts'

/** Line that begins each mail of a mailbox (RFC 4155), and what stands for a line of a mail that begins so. */
const FROM = /^From .*\d{4}.*\r?\n/m
const QUOTED_FROM = /^>(>*From )/gm

/** @throws JobFailure corrupt_input, encrypted_input */
export async function readMail(bytes: Uint8Array): Promise<Document> {
  return documentOf(await mailIn(bytes))
}

/** The mails of a mailbox, one after another; those that are encrypted are counted. @throws JobFailure corrupt_input, encrypted_input */
export async function readMailbox(bytes: Uint8Array): Promise<Document> {
  const [before = '', ...mails] = Buffer.from(bytes).toString('latin1').split(FROM)
  if (before.trim() !== '' || mails.length === 0)
    throw new JobFailure('jobs.corrupt_input', message('mail.none'))
  const documents: Document[] = []
  let refused: unknown
  for (const mail of mails) {
    try {
      documents.push(await readMail(Buffer.from(mail.replaceAll(QUOTED_FROM, '$1'), 'latin1')))
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      refused = error
    }
  }
  if (documents.length === 0) throw refused
  return {
    ...joinedDocuments(documents),
    unsupportedChunks: mails.length - documents.length,
    attachments: documents.flatMap(({ attachments = [] }) => attachments),
  }
}

/** @throws JobFailure encrypted_input */
export async function mailIn(bytes: Uint8Array): Promise<Mail> {
  // The bytes of UTF-16: its mark, or the other half of a Latin letter.
  const isWide = /^(?:\xff\xfe|\xfe\xff|\0|[^\0]\0)/.test(
    Buffer.from(bytes.subarray(0, 2)).toString('latin1'),
  )
  const email = await PostalMime.parse(isWide ? decodeText(bytes).replace(/^\ufeff/, '') : bytes, LIMITS)
  const field = (key: string) => email.headers.find(header => header.key === key)?.value ?? ''
  const files = filesOf(email)
  const type = field('content-type')
  const [sealed] = files
  const signed = sealed && /pkcs7-mime/i.test(type) && signedContent(sealed.bytes)
  if (!signed) refuseEncrypted(type)
  const heads: Mail['heads'] = [
    ['From', people(email.from ? [email.from] : [])],
    ['To', people(email.to)],
    ['Cc', people(email.cc)],
    ['Date', field('date')],
  ]
  const subject = email.subject ?? ''
  if (signed) return { ...(await mailIn(signed)), subject, heads }
  const { html = '', text = '' } = email
  if (html || text) return { subject, heads, html, text, files }
  // Text of an unknown kind, or of none, is plain text (RFC 2046, section 4.1.4).
  const isText = ({ type, name }: Mail['files'][number]) =>
    /^text(?:\/|$)/i.test(type) && name === nameOf(type)
  const texts = files.filter(isText).map(({ bytes }) => decodeText(bytes))
  return { subject, heads, html, text: texts.join('\n\n'), files: files.filter(file => !isText(file)) }
}

/** Of parts in parts; a mail of a program has a handful. */
const LIMITS = { maxNestingDepth: 32, maxRfc822NestingDepth: 5 }

const people = (list: readonly Address[] = []): string =>
  list
    .map(({ name, address, group }) =>
      group ? `${name}: ${people(group)}` : name && name !== address ? `${name} <${address}>` : address,
    )
    .join(', ')

/** What a part is called that has no name. */
function nameOf(type: string): string {
  const [kind = '', sub = kind] = type.toLowerCase().split('/')
  if (sub === 'rfc822') return 'message.eml'
  if (sub === 'calendar') return 'calendar.ics'
  if (kind === 'text' || kind === 'message') return `${sub}.txt`
  return kind === 'image' ? `image.${sub}` : `attachment.${sub === 'pdf' ? sub : 'bin'}`
}

const filesOf = ({ attachments }: Email): Mail['files'] =>
  attachments.flatMap(({ filename, mimeType: type, contentId = '', content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    const file = { name: filename ?? nameOf(type), type, id: contentId.replaceAll(/^<|>$/g, ''), bytes }
    const within =
      /ms-tnef$/i.test(type) || /^winmail\.dat$/i.test(file.name) ? filesInTnef(bytes) : undefined
    return within?.map(each => ({ ...each, type: 'application/octet-stream', id: '' })) ?? [file]
  })
