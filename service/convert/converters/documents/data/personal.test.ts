import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'

const files = testFiles('personal')
const write = (text: string | Buffer, suffix: string) => files.write(Buffer.from(text), suffix)
const to = (target: string, path: string, options: Record<string, unknown> = {}) =>
  convertFile(`document.${path.split('.').at(-1)}-to-${target}`, path, options)

/** What Python's readers find: properties of each event, or contact, in the file's order. */
const PYTHON = {
  ics: `import icalendar
text = lambda v: v.to_ical().decode() if hasattr(v, 'to_ical') else str(v)
when = lambda v: v.dt.isoformat() if hasattr(v, 'dt') else text(v)
calendar = icalendar.Calendar.from_ical(open(path, 'rb').read())
print(json.dumps([{k: when(v) if k.startswith('DT') or k == 'DUE' else str(v) if isinstance(v, str) else text(v) if not isinstance(v, list) else [text(x) for x in v] for k, v in c.items()} | {'kind': c.name} for c in calendar.walk() if c.name in ('VEVENT', 'VTODO')]))`,
  vcf: `import vobject
value = lambda v: {k: x for k, x in vars(v).items() if x} if hasattr(v, '__dict__') else v
print(json.dumps([{k: [[value(x.value), x.params.get('TYPE', [])] for x in v] for k, v in c.contents.items()} for c in vobject.readComponents(open(path, encoding='utf-8', newline='').read())]))`,
  csv: `import csv; print(json.dumps(list(csv.DictReader(open(path, encoding='utf-8-sig', newline='')))))`,
}
const read = (kind: keyof typeof PYTHON, path: string) =>
  JSON.parse(tool('/usr/bin/python3', '-c', `import json, sys; path = sys.argv[1]\n${PYTHON[kind]}`, path))

const calendar = (...lines: string[]) =>
  write(
    `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Google Inc//Google Calendar 70.9054//EN', 'X-WR-TIMEZONE:Europe/Berlin', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`,
    'ics',
  )
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const dentist = event(
  'DTSTART:20260715T080000Z',
  'DTEND:20260715T090000Z',
  'SUMMARY:Dentist\\, with a line that the program which wrote the file has folde',
  ' d',
  'DESCRIPTION:one\\ntwo\\; three',
  'LOCATION:Hauptstraße 1',
  'UID:abc@google.com',
  'CATEGORIES:health,private',
  'ATTENDEE;CN="Lee, Ann";ROLE=OPT-PARTICIPANT:mailto:ann@example.com',
  ...['BEGIN:VALARM', 'DESCRIPTION:This is an event reminder', 'TRIGGER:-PT30M', 'END:VALARM'],
)
const holidays = event(
  ...[
    'DTSTART;VALUE=DATE:20260401',
    'DTEND;VALUE=DATE:20260404',
    'SUMMARY:Holidays',
    'CLASS:PRIVATE',
    'UID:h',
  ],
)
const choir = event(
  ...['DTSTART;TZID=Europe/Berlin:20260202T183000', 'DURATION:PT1H30M', 'SUMMARY:Choir', 'UID:c'],
  ...['RRULE:FREQ=WEEKLY;BYDAY=MO', 'EXDATE;TZID=Europe/Berlin:20260209T183000'],
)

describe('a calendar', () => {
  test('becomes the columns that Google and Outlook import, in the time of its zone', async () => {
    const rows = read('csv', (await to('csv', calendar(...dentist, ...holidays, ...choir))).path)
    expect(Object.keys(rows[0]).slice(0, 9)).toEqual([
      ...['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time', 'All Day Event', 'Description'],
      ...['Location', 'Private'],
    ])
    expect(rows).toMatchObject([
      {
        Subject: 'Dentist, with a line that the program which wrote the file has folded',
        ...{
          'Start Date': '2026-07-15',
          'Start Time': '10:00:00',
          'End Time': '11:00:00',
          'All Day Event': 'False',
        },
        ...{ Description: 'one\ntwo; three', Location: 'Hauptstraße 1', Categories: 'health;private' },
        ...{ 'Time Zone': 'Europe/Berlin', 'Required Attendees': 'ann@example.com', UID: 'abc@google.com' },
      },
      {
        Subject: 'Holidays',
        'Start Date': '2026-04-01',
        'End Date': '2026-04-03',
        'All Day Event': 'True',
        Private: 'True',
      },
      {
        ...{
          'Start Date': '2026-02-02',
          'Start Time': '18:30:00',
          'End Date': '2026-02-02',
          'End Time': '20:00:00',
        },
        Recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO\nEXDATE;TZID=Europe/Berlin:20260209T183000',
      },
    ])
  })

  testFull('comes back from its table', async () => {
    const csv = (await to('csv', calendar(...dentist, ...holidays, ...choir))).path
    const { path, warnings } = await to('ics', csv)
    expect(warnings).toEqual([])
    expect(read('ics', path)).toMatchObject([
      {
        ...{ kind: 'VEVENT', DTSTART: '2026-07-15T08:00:00+00:00', DTEND: '2026-07-15T09:00:00+00:00' },
        SUMMARY: 'Dentist, with a line that the program which wrote the file has folded',
        ...{ DESCRIPTION: 'one\ntwo; three', LOCATION: 'Hauptstraße 1', UID: 'abc@google.com' },
      },
      { DTSTART: '2026-04-01', DTEND: '2026-04-04', CLASS: 'PRIVATE' },
      {
        ...{ DTSTART: '2026-02-02T18:30:00+01:00', DTEND: '2026-02-02T20:00:00+01:00' },
        RRULE: 'FREQ=WEEKLY;BYDAY=MO',
      },
    ])
    for (const line of readFileSync(path, 'utf8').split('\r\n'))
      expect(Buffer.byteLength(line)).toBeLessThan(76)
  })

  testFull('describes the zones of what repeats', async () => {
    const weekly = (zone: string, day: string) =>
      event(`DTSTART;TZID=${zone}:${day}T183000`, 'SUMMARY:Weekly', 'RRULE:FREQ=WEEKLY')
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
    const source = calendar(...zones.flatMap((zone, index) => weekly(zone, `20${10 + index}0706`)))
    const { path } = await to('ics', (await to('csv', source)).path)
    // Its own rules of each zone beside the system's, every five days of twenty years.
    const script = `import datetime, icalendar, json, sys, zoneinfo
days = [datetime.datetime(2015, 1, 1, 12) + datetime.timedelta(days=5 * n) for n in range(1460)]
calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
zones = {str(z['TZID']): z.to_tz() for z in calendar.walk('VTIMEZONE')}
print(json.dumps({name: sum(zone.utcoffset(day) != zoneinfo.ZoneInfo(name).utcoffset(day) for day in days) for name, zone in zones.items()}))`
    const wrong = JSON.parse(tool('/usr/bin/python3', '-c', script, path))
    expect(wrong).toEqual(Object.fromEntries(zones.map(zone => [zone, 0])))
  })

  testFull('keeps what repeats since long ago, and to the end of years of four digits', async () => {
    const years = ['0001', '0600', '1604', '9975', '9999']
    const yearly = (year: string) =>
      event(`DTSTART;TZID=Europe/Berlin:${year}1230T100000`, 'SUMMARY:Birthday', 'RRULE:FREQ=YEARLY')
    for (const year of years) {
      const { path } = await to('ics', (await to('csv', calendar(...yearly(year)))).path)
      const text = readFileSync(path, 'utf8')
      expect(text).toMatch(/BEGIN:STANDARD.*END:VTIMEZONE.*DTSTART;TZID=Europe\/Berlin:/s)
      expect(text).toContain(`DTSTART;TZID=Europe/Berlin:${year}1230T100000`)
      expect(text).not.toMatch(/NaN|undefined|(?:RDATE|DTSTART):[^\r]{16}/)
      expect(read('ics', path)).toHaveLength(1)
    }
  })

  testFull('has its tasks, and also becomes JSON, a workbook and a page', async () => {
    const source = calendar('BEGIN:VTODO', 'SUMMARY:Taxes', 'DUE;VALUE=DATE:20260731', 'UID:t', 'END:VTODO')
    const [task] = JSON.parse(readFileSync((await to('json', source)).path, 'utf8'))
    expect(task).toMatchObject({ Subject: 'Taxes', 'Due Date': '2026-07-31', 'Start Date': '' })
    expect(readFileSync((await to('md', source)).path, 'utf8')).toContain('Taxes')
    const { path } = await to('ics', (await to('xlsx', source)).path)
    expect(read('ics', path)).toMatchObject([{ kind: 'VTODO', DUE: '2026-07-31', SUMMARY: 'Taxes' }])
  })

  test.each(
    few(1, [
      [
        'Google',
        'Subject,Start Date,Start Time,End Date,End Time,All Day Event\nA,05/30/2026,10:00 AM,05/31/2026,1:30 PM,False\nB,06/01/2026,,06/02/2026,,True\n',
        ['2026-05-30T10:00:00', '2026-05-31T13:30:00'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'Outlook',
        '"Subject","Start Date","Start Time","End Date","End Time","All day event","Mileage"\n"A","30.5.2026","10:00:00","31.5.2026","13:30:00","False",""\n"B","1.6.2026","00:00:00","3.6.2026","00:00:00","True",""\n',
        ['2026-05-30T10:00:00', '2026-05-31T13:30:00'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'a sheet',
        'title,start,end\nA,2026-05-30 10:00,2026-05-31T13:30:00\nB,2026-06-01,2026-06-02\n',
        ['2026-05-30T10:00:00', '2026-05-31T13:30:00'],
        ['2026-06-01', '2026-06-03'],
      ],
    ]),
  )('is made of the table of %s', async (_, csv, ...times) => {
    const { path, warnings } = await to('ics', write(csv, 'csv'))
    expect(read('ics', path).map((each: Record<string, string>) => [each.DTSTART, each.DTEND])).toEqual(times)
    expect(warnings).toEqual([])
  })

  test('is not made of what has no dates, or no date where one should be', async () => {
    await expect(to('ics', write('a,b\n1,2\n', 'csv'))).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
    await expect(to('ics', write('Subject,Start Date\nA,2026-02-30\n', 'csv'))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
    await expect(to('csv', write('nothing', 'ics'))).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })
})

const old = `BEGIN:VCARD\r
VERSION:2.1\r
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;\r
FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCrgen =\r
M=FCller\r
TEL;CELL:+49 170 1234\r
TEL;WORK;FAX:+49 30 1\r
PHOTO;ENCODING=BASE64;JPEG:AAAA\r
 BBBB\r
\r
END:VCARD\r
`
const apple = `BEGIN:VCARD
VERSION:3.0
FN:Dr. Ann Lee
N:Lee;Ann;;Dr.;
EMAIL;TYPE=INTERNET,HOME:a@b.c
EMAIL;TYPE=INTERNET;TYPE=pref;TYPE=WORK:w@b.c
item1.ADR;TYPE=HOME:;;1 Main St\\, Apt 2;Town;ST;12345;USA
item2.TEL:5551
item2.X-ABLabel:_$!<Assistant>!$_
BDAY:1948-05-12
ORG:ACME\\, Inc.;Lab
TITLE:Chemist
NOTE:one\\ntwo
CATEGORIES:x,y
END:VCARD
`
const newest =
  'BEGIN:VCARD\nVERSION:4.0\nFN:ACME\nORG:ACME\nTEL;VALUE=uri;PREF=1;TYPE="voice,cell":tel:+1-555\nBDAY:--0412\nEND:VCARD\n'

describe('contacts', () => {
  test('of all versions become the columns of Google, without their pictures', async () => {
    const { path, warnings } = await to('csv', write(old + apple + newest, 'vcf'))
    const rows = read('csv', path)
    expect(rows).toMatchObject([
      {
        ...{ 'First Name': 'Jürgen', 'Last Name': 'Müller', 'Phone 1 - Label': 'Mobile' },
        ...{ 'Phone 1 - Value': '+49 170 1234', 'Phone 2 - Label': 'Work Fax' },
      },
      {
        ...{
          'First Name': 'Ann',
          'Name Prefix': 'Dr.',
          'Organization Name': 'ACME, Inc.',
          Birthday: '1948-05-12',
        },
        ...{
          'E-mail 1 - Label': 'Work',
          'E-mail 1 - Value': 'w@b.c',
          'E-mail 2 - Value': 'a@b.c',
          Notes: 'one\ntwo',
        },
        ...{
          'Address 1 - Street': '1 Main St, Apt 2',
          'Address 1 - Country': 'USA',
          'Phone 1 - Label': 'Assistant',
        },
        Labels: 'x ::: y',
      },
      {
        'First Name': '',
        'Organization Name': 'ACME',
        'Phone 1 - Label': 'Mobile',
        'Phone 1 - Value': '+1-555',
        Birthday: '--04-12',
      },
    ])
    expect(warnings).toEqual([expect.stringContaining('Pictures and sounds of contacts left out')])
  })

  test('become those of Outlook, which says what it has no place for', async () => {
    const three = 'TEL;CELL:1\nTEL;CELL:2\nTEL;CELL:3\n'
    const { path, warnings } = await to('csv', write(apple.replace('TITLE', `${three}TITLE`), 'vcf'), {
      columns: 'outlook',
    })
    expect(read('csv', path)).toMatchObject([
      {
        ...{
          Title: 'Dr.',
          Suffix: '',
          'E-mail Address': 'w@b.c',
          'E-mail 2 Address': 'a@b.c',
          Company: 'ACME, Inc.',
        },
        ...{
          'Job Title': 'Chemist',
          'Home Street': '1 Main St, Apt 2',
          'Home Country/Region': 'USA',
          'Mobile Phone': '1',
        },
        'Other Phone': '5551',
      },
    ])
    expect(warnings).toEqual([expect.stringContaining('Phone (Mobile)')])
  })

  test.each(few(1, ['google', 'outlook']))('come back from the table of %s', async columns => {
    const { path, warnings } = await to('vcf', (await to('csv', write(old + apple, 'vcf'), { columns })).path)
    expect(warnings).toEqual([])
    expect(read('vcf', path)).toMatchObject([
      {
        fn: [['Jürgen Müller', []]],
        tel: [
          ['+49 170 1234', ['CELL']],
          ['+49 30 1', ['WORK', 'FAX']],
        ],
      },
      {
        ...{ fn: [['Dr. Ann Lee', []]], n: [[{ family: 'Lee', given: 'Ann', prefix: 'Dr.' }, []]] },
        ...{ org: [[['ACME, Inc.', 'Lab'], []]], bday: [['1948-05-12', []]], note: [['one\ntwo', []]] },
        adr: [
          [
            { street: '1 Main St, Apt 2', city: 'Town', region: 'ST', code: '12345', country: 'USA' },
            ['HOME'],
          ],
        ],
        ...(columns === 'google' && { 'x-ablabel': [['Assistant', []]] }),
      },
    ])
  })

  test.each(
    few(1, [
      [
        'older Google',
        'Name,Given Name,Family Name,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name\nAnn Lee,Ann,Lee,* Work,a@b.c,Mobile,1 ::: 2,ACME\n',
      ],
      [
        'Thunderbird',
        'First Name,Last Name,Display Name,Primary Email,Mobile Number,Work Phone,Organization\nAnn,Lee,Ann Lee,a@b.c,1,2,ACME\n',
      ],
      ['a sheet', 'name;email;mobile;phone;company\nAnn Lee;a@b.c;1;2;ACME\n'],
    ]),
  )('are made of the table of %s', async (_, csv) => {
    const { path, warnings } = await to('vcf', write(csv, 'csv'))
    const [card] = read('vcf', path)
    expect(card).toMatchObject({ n: [[{ family: 'Lee', given: 'Ann' }, []]], org: [[['ACME'], []]] })
    expect([card.email[0][0], card.tel.map(([number]: [string]) => number)]).toEqual(['a@b.c', ['1', '2']])
    expect(warnings).toEqual([])
  })

  test('name the columns that they have no place for, and need one', async () => {
    const { warnings } = await to('vcf', write('Name,Shoe size,Empty\nAnn,38,\n', 'csv'))
    expect(warnings).toEqual([expect.stringMatching(/no place for it: Shoe size\./)])
    await expect(to('vcf', write('a,b\n1,2\n', 'csv'))).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })
})

testFull('what is made to do harm ends soon', async () => {
  const deep = 'BEGIN:VCARD\n'.repeat(100_000)
  await expect(to('csv', write(deep, 'vcf'))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  const wide = `BEGIN:VCARD\nFN:a\n${'TEL:1\n'.repeat(100_000)}END:VCARD\n`
  expect(read('csv', (await to('csv', write(wide, 'vcf'))).path)[0]['Phone 1000 - Value']).toBe('1')
  const long = `BEGIN:VEVENT\nSUMMARY:${'\\,'.repeat(50_000)}\nDTSTART${';A=B'.repeat(100_000)}:20260101\nDTSTART:20260101T999999Z\n`
  expect(read('csv', (await to('csv', write(long, 'ics'))).path)).toHaveLength(1)
})

testFull(
  '100 MB of contacts and a million lines are read within a minute',
  async () => {
    const card = `BEGIN:VCARD\nVERSION:3.0\nFN:Ann Lee\nN:Lee;Ann;;;\nTEL;TYPE=CELL:1\nNOTE:${'x'.repeat(440)}\nEND:VCARD\n`
    const { path } = await to('csv', write(card.repeat(190_000), 'vcf'))
    expect(tool('wc', '-l', path)).toMatch(/^190001 /)
  },
  60_000,
)
