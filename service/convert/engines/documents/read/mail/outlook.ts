/** Reads mails of Outlook ([MS-OXMSG]). */
import { createRequire } from 'node:module'
import type { FieldsData, default as Outlook } from '@kenjiuno/msgreader'
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { DamagedFile } from '../../../common/damage.ts'
import { decodeText } from '../../../common/text.ts'
import { CompoundFile } from '../../formats/compound.ts'
import type { Document } from '../../model.ts'
import { documentOf, type Mail, refuseEncrypted } from './mail.ts'

// As a CommonJS module: its default export is a property, which Node and bundlers take for different things.
const reader: typeof import('@kenjiuno/msgreader') = createRequire(import.meta.url)('@kenjiuno/msgreader')

/** @throws JobFailure corrupt_input, encrypted_input */
export const readOutlook = (bytes: Uint8Array): Document => documentOf(outlookMailIn(bytes))

/** @throws JobFailure corrupt_input, encrypted_input */
export function outlookMailIn(bytes: Uint8Array): Mail {
  const { file, fields } = opened(bytes)
  if (/\.SMIME$/i.test(fields.messageClass ?? '')) refuseEncrypted('application/pkcs7-mime')
  const { attachments = [], recipients = [] } = fields
  for (const { attachMimeTag = '' } of attachments) refuseEncrypted(attachMimeTag)
  const people = (kind: string) =>
    recipients
      .filter(({ recipType = 'to' }) => recipType === kind)
      .map(person)
      .join(', ')
  const heads: Mail['heads'] = [
    ['From', person({ name: fields.senderName, email: fields.senderSmtpAddress ?? fields.senderEmail })],
    ['To', people('to')],
    ['Cc', people('cc')],
    ['Date', fields.clientSubmitTime ?? fields.messageDeliveryTime ?? ''],
  ]
  return {
    subject: fields.subject ?? '',
    heads,
    html: fields.html ? decodeText(fields.html) : (fields.bodyHtml ?? ''),
    text: fields.body ?? '',
    files: attachments.map(attachment => {
      const { fileName, content } = file.getAttachment(attachment)
      const { attachMimeTag = '', pidContentId = '' } = attachment
      return { name: fileName, type: attachMimeTag, id: pidContentId, bytes: content }
    }),
  }
}

function opened(bytes: Uint8Array): { file: Outlook; fields: FieldsData } {
  try {
    // The reader follows sectors that go round in circles until no memory is left.
    const isSound = new CompoundFile(Buffer.from(bytes)).isFollowable
    if (!isSound) throw new DamagedFile('sectors without an end')
    const file = new reader.default(new Uint8Array(bytes).buffer)
    const fields = file.getFileData()
    if (fields.error === undefined) return { file, fields }
  } catch {
    // Told as a file of another kind.
  }
  throw new JobFailure('jobs.corrupt_input', message('mail.none'))
}

function person({
  name = '',
  email = '',
  smtpAddress,
}: Pick<FieldsData, 'name' | 'email' | 'smtpAddress'>): string {
  const address = smtpAddress ?? email
  // Exchange knows its own people by addresses of its own.
  const known = address.includes('@') && address !== name ? address : ''
  return name && known ? `${name} <${known}>` : name || known
}
