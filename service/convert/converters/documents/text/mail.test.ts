import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { outlookMessage } from '../../../../../testing/compound.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'

const files = testFiles('mail')

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** Messages as Python's `email` writes them. */
function written(name: string, script: string): string {
  const path = files.path(name)
  const lines = [
    'import sys',
    'from email.message import EmailMessage',
    'm = EmailMessage()',
    ...script.trim().split('\n'),
    'open(sys.argv[1], "wb").write(bytes(m))',
  ]
  execFileSync('python3', ['-c', lines.join('\n'), path])
  return path
}

function file(name: string, content: string | Buffer): string {
  const path = files.path(name)
  writeFileSync(path, content)
  return path
}

const textOf = async (path: string, source: string) =>
  readFileSync((await convertFile(`document.${source}-to-md`, path, { pictures: 'none' })).path, 'utf8')

const invoice = () =>
  written(
    'invoice.eml',
    `
import base64
m['From'] = 'Ada <ada@example.com>'; m['To'] = 'b@example.com, "Müller, Jörg" <j@example.com>'
m['Subject'] = 'Rechnung Über 12 €'; m['Date'] = 'Tue, 24 Nov 2026 10:00:00 +0100'
m.set_content('plain body')
m.add_alternative('<p>Guten Tag, <b>siehe Anhang</b>.</p><img alt="logo" src="cid:x1"><img alt="spy" src="https://example.com/pixel.png">', subtype='html')
m.get_payload()[1].add_related(base64.b64decode('${dot}'), 'image', 'png', cid='<x1>')
m.add_attachment(b'PK', maintype='application', subtype='zip', filename='Anhang Ä.zip')
`,
  )

const HEAD =
  '**From:** Ada \\<ada@example.com>\\\n**To:** b@example.com, Müller, Jörg \\<j@example.com>\\\n**Date:** Tue, 24 Nov 2026 10:00:00 +0100\\\n**Attachments:** Anhang Ä.zip'

test('a mail has its head, its text with the pictures that came with it, and nothing of elsewhere', async () => {
  const { outputs } = await convertFile('document.eml-to-md', invoice(), { pictures: 'files' })
  expect(readFileSync(outputs[0]!.path, 'utf8')).toBe(
    `# Rechnung Über 12 €\n\n${HEAD}\n\n---\n\nGuten Tag, **siehe Anhang**.\n\n![logo](image-1.png)\n`,
  )
  expect(readFileSync(outputs[1]!.path).toString('base64')).toBe(dot)
  const { path } = await convertFile('document.eml-to-html', invoice())
  expect(readFileSync(path, 'utf8')).not.toContain('https://example.com')
})

testFull('a mail is printed as mail programs print it', async () => {
  const { path } = await convertFile('document.eml-to-pdf', invoice())
  const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
  expect(text.replace(/ +/g, ' ')).toMatch(
    /Rechnung Über 12 €\s+From: Ada <ada@example.com>\s[\s\S]*Attachments: Anhang Ä.zip\s+Guten Tag, siehe Anhang./,
  )
  expect(execFileSync('pdfimages', ['-list', path], { encoding: 'utf8' })).toMatch(/ 5 +5 /)
})

testFull('what is attached is named, attached to the PDF, appended to it, or taken by itself', async () => {
  const path = written(
    'attached.eml',
    `
m['From'] = 'ada@example.com'; m['Subject'] = 'Figures'
m.set_content('see the files')
m.add_attachment(b'# Herring 4711', maintype='text', subtype='markdown', filename='note.md')
m.add_attachment(b'\\0\\1\\2', maintype='application', subtype='octet-stream', filename='data.bin')
`,
  )
  const tool = (name: string, ...words: string[]) => execFileSync(name, words, { encoding: 'utf8' })
  const pdf = async (attachments: string, more: object = {}) => {
    const { outputs, warnings } = await convertFile('document.eml-to-pdf', path, { attachments, ...more })
    const made = outputs[0]!.path
    tool('qpdf', '--check', made)
    return { text: tool('pdftotext', made, '-'), files: tool('pdfdetach', '-list', made), warnings }
  }
  expect(await pdf('list')).toMatchObject({ text: expect.not.stringContaining('4711'), warnings: [] })
  expect((await pdf('embed')).files).toMatch(/^2 embedded files\n1: data\.bin\n2: note\.md/)
  const appended = await pdf('append')
  expect(appended.text).toMatch(/see the files[\s\S]+Herring 4711/)
  expect(appended.warnings.join()).toContain('data.bin')
  const archived = await pdf('embed', { pdfa: true })
  expect(archived).toMatchObject({
    files: '0 embedded files\n',
    warnings: [expect.stringContaining('PDF/A')],
  })
  const { outputs } = await convertFile('document.eml-to-zip', path)
  expect(outputs.map(({ name, path }) => [name, readFileSync(path, 'latin1')])).toEqual([
    ['note.md', '# Herring 4711'],
    ['data.bin', '\0\x01\x02'],
  ])
  const none = file('none.eml', 'Subject: x\n\nnothing with it\n')
  await expect(convertFile('document.eml-to-zip', none)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

testFull('charsets and messages within messages are read', async () => {
  const korean = written('korean.eml', `m['Subject'] = '안녕'\nm.set_content('안녕하세요', charset='euc-kr')`)
  const named = readFileSync(korean, 'latin1').replace('"euc-kr"', '"ks_c_5601-1987"')
  expect(await textOf(file('named.eml', Buffer.from(named, 'latin1')), 'eml')).toBe('# 안녕\n\n안녕하세요\n')
  const japanese = written(
    'japanese.eml',
    `m['Subject'] = '件名'\nm.set_content('本文です', charset='iso-2022-jp')`,
  )
  expect(await textOf(japanese, 'eml')).toBe('# 件名\n\n本文です\n')
  const wide = Buffer.from(`\ufeff${readFileSync(invoice(), 'utf8')}`, 'utf16le')
  for (const bytes of [wide, wide.subarray(2), Buffer.from(wide).swap16().subarray(2)])
    expect(await textOf(file('wide.eml', bytes), 'eml')).toContain('# Rechnung Über 12 €')
  const digest = `Subject: All\nContent-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: One\n\nfirst text\n--b\n\nSubject: Two\n\nsecond text\n--b--\n`
  expect(await textOf(file('digest.eml', digest), 'eml')).toMatch(
    /One[\s\S]+first text[\s\S]+Two[\s\S]+second text/,
  )
})

test('text of an unknown kind is text, and parts without a name have one that opens', async () => {
  expect(await textOf(file('bare.eml', 'Content-Type: text; charset=us-ascii\n\nonly text\n'), 'eml')).toBe(
    'only text\n',
  )
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`
  const mixed = `Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n${part('text/x-one', 'first')}${part('text/x-two', 'second')}--b--\n`
  expect(await textOf(file('mixed.eml', mixed), 'eml')).toBe('# S\n\nfirst\n\nsecond\n')
  const bounced = `Subject: Bounced\nContent-Type: multipart/report; boundary=b\n\n${part('text/plain', 'Not delivered')}${part('message/delivery-status', 'Status: 5.0.0')}${part('message/rfc822', 'Subject: Sent\n\nHerring')}--b--\n`
  const { outputs } = await convertFile('document.eml-to-zip', file('bounced.eml', bounced))
  expect(outputs.map(({ name }) => name)).toEqual(['delivery-status.txt', 'message.eml'])
})

test('mailboxes are their mails, one after another', async () => {
  const from = 'From a@example.com Tue Nov 24 10:00:00 2026\n'
  const path = file('all.mbox', `${from}Subject: One\n\n>From here on\n\n${from}Subject: Two\n\nlast\n`)
  expect(await textOf(path, 'mbox')).toBe('# One\n\nFrom here on\n\n---\n\n# Two\n\nlast\n')
})

test("Outlook's mails are read", async () => {
  const path = file('a.msg', outlookMessage({ subject: 'Offer', body: 'Dear Sir,\r\n\r\nyours' }))
  expect(await textOf(path, 'msg')).toMatch(/^# Offer\s+Dear Sir,\s+yours/)
})

testFull('a mail within its signature is shown, in both encodings that programs write', async () => {
  const [key, certificate] = [files.path('key.pem'), files.path('certificate.pem')]
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const subject = ['-subj', '/CN=Ada', '-days', '2', '-keyout', key, '-out', certificate]
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject)
  const inner = file('inner.eml', 'Content-Type: text/plain; charset=utf-8\n\nSigned herring 4711\n')
  const head = ['-from', 'a@example.com', '-to', 'b@example.com', '-subject', 'Signed', '-in', inner]
  for (const [nth, how] of [['-nodetach'], ['-nodetach', '-stream'], []].entries()) {
    const path = files.path(`signed${nth}.eml`)
    openssl('cms', '-sign', ...how, '-signer', certificate, '-inkey', key, ...head, '-out', path)
    const text = await textOf(path, 'eml')
    expect(text).toMatch(/^# Signed\n\n\*\*From:\*\* a@example\.com[\s\S]*Signed herring 4711\n$/)
  }
  const whole = readFileSync(files.path('signed1.eml'), 'latin1')
  for (const length of [600, 900, 1100])
    await textOf(file(`cut${length}.eml`, Buffer.from(whole.slice(0, length), 'latin1')), 'eml').catch(
      error => expect(error.code).toMatch(/encrypted_input|corrupt_input/),
    )
})

testFull('the files in a winmail.dat are those of the mail', async () => {
  const attribute = (level: number, id: number, data: Buffer) => {
    const [head, end] = [Buffer.alloc(9), Buffer.alloc(2)]
    head.writeUInt8(level)
    head.writeUInt32LE(id, 1)
    head.writeUInt32LE(data.length, 5)
    end.writeUInt16LE(data.reduce((sum, byte) => sum + byte, 0) % 0x1_0000)
    return Buffer.concat([head, data, end])
  }
  const attached = (name: string, text: string) => [
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${name}\0`, 'latin1')),
    attribute(2, 0x0006800f, Buffer.from(text)),
  ]
  const tnef = Buffer.concat([
    ...[Buffer.from('789f3e220100', 'hex'), attribute(1, 0x00089006, Buffer.from('00000100', 'hex'))],
    ...[...attached('offer.txt', 'Herring 4711'), ...attached('ship.md', '# Whale')],
  ])
  const part = (bytes: Buffer) => `m['Subject'] = 'Offer'
import base64
m.set_content('see below')
m.add_attachment(base64.b64decode('${bytes.toString('base64')}'), maintype='application', subtype='ms-tnef', filename='winmail.dat')`
  const path = written('winmail.eml', part(tnef))
  const { outputs } = await convertFile('document.eml-to-zip', path)
  expect(outputs.map(({ name, path }) => [name, readFileSync(path, 'utf8')])).toEqual([
    ['offer.txt', 'Herring 4711'],
    ['ship.md', '# Whale'],
  ])
  const cut = written('cut.eml', part(tnef.subarray(0, -4)))
  expect(await textOf(cut, 'eml')).toContain('**Attachments:** offer.txt, ship.md')
  const other = written('other.eml', part(Buffer.from('no such thing')))
  expect(await textOf(other, 'eml')).toContain('**Attachments:** winmail.dat')
})

test('a mail of Outlook whose sectors do not end is damaged', async () => {
  const bytes = outlookMessage({ subject: 'x', body: 'y' })
  // Where the content of the first entry of the directory begins: behind the end of the file.
  bytes.writeUInt32LE(0xff_ff00, 512 + 116)
  const path = files.write(bytes, 'msg')
  await expect(convertFile('document.msg-to-md', path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test('what is encrypted, or no mail, is told', async () => {
  const sealed =
    'Subject: x\nContent-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n\n--b--\n'
  const mime = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nAAAA\n'
  for (const [nth, content] of [sealed, mime].entries())
    await expect(textOf(file(`sealed${nth}.eml`, content), 'eml')).rejects.toMatchObject({
      code: 'jobs.encrypted_input',
    })
  await expect(textOf(file('empty.eml', ' \n\n'), 'eml')).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
  await expect(textOf(file('b.msg', Buffer.from('d0cf11e0a1b11ae1', 'hex')), 'msg')).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})
