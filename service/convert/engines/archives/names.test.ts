import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { type EncodingLabel, nameEncodings } from '../../../shared/names/encodings.ts'
import { decoderFor } from './names.ts'

/** Names of archives encoded by Python, so that the tables are not tested with themselves: one start for all. */
function encodedAll(all: readonly (readonly [encoding: string, names: readonly string[]])[]): Buffer[][] {
  const script =
    'import sys, json; print(json.dumps([[n.encode(e).hex() for n in names] for e, names in json.load(sys.stdin)]))'
  const printed = execFileSync('/usr/bin/python3', ['-IS', '-c', script], { input: JSON.stringify(all) })
  return (JSON.parse(printed.toString()) as string[][]).map(names =>
    names.map(hex => Buffer.from(hex, 'hex')),
  )
}

const encoded = (encoding: string, names: readonly string[]) => encodedAll([[encoding, names]])[0]!

type Case = [from: 'pcs' | 'unix', encoding: string, names: string[], locale?: string]

/** Each row is an archive. */
const archives: Case[] = [
  ['pcs', 'shift_jis', ['写真.jpg']],
  ['pcs', 'shift_jis', ['第01巻/表紙.jpg', '第01巻/001.jpg']],
  ['pcs', 'shift_jis', ['新しいテキスト ドキュメント.txt']],
  ['pcs', 'shift_jis', ['資料(最終版).pdf', 'データ2020年度.xls']],
  ['unix', 'shift_jis', ['ゲーム音楽集 [MP3]/オープニング.mp3']],
  ['pcs', 'gbk', ['照片.jpg']],
  ['pcs', 'gbk', ['新建文件夹/新建文本文档.txt']],
  ['pcs', 'gbk', ['使用说明.txt', '2019年财务报表.xls']],
  ['pcs', 'gbk', ['三国演义 第1回 宴桃园豪杰三结义.txt']],
  ['unix', 'gbk', ['软件安装说明.doc', 'readme.txt']],
  ['pcs', 'big5', ['新增資料夾/說明.txt']],
  ['pcs', 'big5', ['照片.jpg']],
  ['pcs', 'big5', ['會議記錄.doc', '使用手冊.pdf']],
  ['unix', 'big5', ['中文檔案名稱.txt']],
  ['pcs', 'euc_kr', ['새 폴더/사진.jpg']],
  ['unix', 'euc_kr', ['한국어 문서.hwp', '회의 자료.doc']],
  ['pcs', 'cp866', ['Новая папка/Документ Microsoft Word.doc']],
  ['pcs', 'cp866', ['фото.jpg']],
  ['pcs', 'cp866', ['ПРОЧТИ МЕНЯ.TXT', 'Отчёт за 2007 год.xls']],
  ['pcs', 'koi8-r', ['ПРИВЕТ', 'привет']],
  ['pcs', 'cp1251', ['Фото.zip']],
  ['unix', 'koi8-r', ['Новая папка/письмо.txt']],
  ['unix', 'koi8-r', ['фото.jpg']],
  ['unix', 'cp866', ['ПРИВЕТ', 'привет']],
  ['unix', 'cp1251', ['фото.jpg', 'ОТЧЕТ.DOC']],
  ['unix', 'euc-jp', ['新しいテキスト.txt']],
  ['unix', 'cp1251', ['Документы/Договор №5.doc']],
  ['pcs', 'cp437', ['Größe.txt']],
  ['pcs', 'cp437', ['Übergabe für Müller.doc', 'Straße.jpg']],
  ['pcs', 'cp437', ['résumé.doc']],
  ['pcs', 'cp437', ['Añoranza/canción española.mp3']],
  ['pcs', 'cp1252', ['Größe.txt']],
  ['pcs', 'cp1252', ['25±5 mm.txt', 'T±C.txt']],
  ['pcs', 'cp1252', ['Café Olé.mp3', 'señor.mp3'], 'es-ES'],
  ['unix', 'cp1252', ['été.txt', 'naïve.txt'], 'fr-FR'],
  ['unix', 'cp1252', ['x²±y³.dat', 'µm.dat', '10°.dat']],
  ['unix', 'cp1252', ['Übergrößenträger.txt']],
  ['unix', 'cp1252', ['Sm\u00f8rrebr\u00f8d \u2013 opskrift.txt']],
]

/** Archives from Windows, DOS and old Macs of other countries. */
const countries: Case[] = [
  ['pcs', 'cp852', ['Zażółć gęślą jaźń.txt', 'Łódź/Źródła.xls']],
  ['pcs', 'cp1250', ['Zażółć gęślą jaźń.txt', 'Łódź/Źródła.xls']],
  ['pcs', 'cp852', ['Žluťoučký kůň.txt', 'Přehled výdajů.xls']],
  ['pcs', 'cp1250', ['Žluťoučký kůň.txt', 'Přehled výdajů.xls']],
  ['pcs', 'cp852', ['Árvíztűrő tükörfúrógép.txt', 'Szerződés.doc']],
  ['pcs', 'cp1250', ['Árvíztűrő tükörfúrógép.txt', 'Szerződés.doc']],
  ['pcs', 'cp850', ['Declaração de rendimentos.pdf', 'Férias em São Paulo.jpg', 'Orçamento.xls']],
  ['pcs', 'cp860', ['Declaração de rendimentos.pdf', 'Férias em São Paulo.jpg', 'Orçamento.xls']],
  ['pcs', 'cp850', ['Rødgrød med fløde.doc', 'Sommerhus på Læsø.jpg']],
  ['pcs', 'cp865', ['Rødgrød med fløde.doc', 'Sommerhus på Læsø.jpg']],
  ['pcs', 'cp857', ['Fotoğraflar/Yaz tatili İzmir.jpg', 'Çalışma saatleri.xls', 'Ağustos faturası.pdf']],
  ['pcs', 'cp1254', ['Fotoğraflar/Yaz tatili İzmir.jpg', 'Çalışma saatleri.xls', 'Ağustos faturası.pdf']],
  ['pcs', 'cp737', ['Νέος φάκελος/Έγγραφο.doc', 'Φωτογραφίες.zip']],
  ['pcs', 'cp1253', ['Νέος φάκελος/Έγγραφο.doc', 'Φωτογραφίες.zip']],
  ['pcs', 'cp862', ['תיקייה חדשה/מסמך.doc', 'קורות חיים.doc']],
  ['pcs', 'cp1255', ['תיקייה חדשה/מסמך.doc', 'קורות חיים.doc']],
  ['pcs', 'cp720', ['مجلد جديد/مستند.doc', 'السيرة الذاتية.doc']],
  ['pcs', 'cp1256', ['مجلد جديد/مستند.doc', 'السيرة الذاتية.doc']],
  ['pcs', 'cp874', ['เอกสารใหม่.doc', 'รายงานการประชุม.doc']],
  ['pcs', 'cp775', ['Sąskaita faktūra.pdf', 'Šeimos šventė.jpg']],
  ['pcs', 'cp1125', ['Київ/Їжак.jpg', 'Договір оренди.doc', 'Рахунок за січень.pdf'], 'uk-UA'],
  ['pcs', 'mac-roman', ['Größe und Maß.txt', 'Übergabe für Müller.doc', 'Rechnung für März.pdf']],
  ['pcs', 'mac-roman', ['Déclaration de revenus.pdf', 'Élèves de première année.xls', 'Résumé.doc']],
  ['pcs', 'mac-latin2', ['Žluťoučký kůň.txt', 'Přehled výdajů.xls', 'Životopis.doc']],
  ['pcs', 'euc-jp', ['新しいテキスト.txt', 'データ一覧表.xls']],
]

describe('names without a declared encoding', () => {
  const cases = [...archives, ...countries]
  const coded = encodedAll(cases.map(([, encoding, names]) => [encoding, names]))
  const rows = cases.map(
    ([from, encoding, names, locale = 'en-US'], at) => [from, encoding, names, locale, coded[at]!] as const,
  )

  test.each(rows)('from %s, %s: %j', (from, _, names, locale, bytes) => {
    const decoder = decoderFor(bytes, { from, locale })
    expect(bytes.map(name => decoder.decode(name))).toEqual(names)
    expect(decoder.isGuess).toBe(true)
  })

  testFull('the encodings of this machine are preferred where others suit as well', () => {
    const read = (locale: string) => {
      const bytes = encoded('cp1257', ['Šeima.txt'])
      return decoderFor(bytes, { from: 'pcs', locale }).decode(bytes[0]!)
    }
    expect(read('lt-LT')).toBe('Šeima.txt')
    expect(read('en-US')).not.toBe('Šeima.txt')
  })

  testFull('a named encoding is taken for all of them', () => {
    const decoder = decoderFor(encoded('shift_jis', ['表.txt']), { from: 'pcs', encoding: 'cp932' })
    expect(encoded('shift_jis', ['表.txt', 'ﾃｽﾄ']).map(name => decoder.decode(name))).toEqual([
      '表.txt',
      'ﾃｽﾄ',
    ])
    expect(decoder).toMatchObject({ encoding: 'Shift-JIS', isGuess: false })
  })

  test('every encoding that can be named is known to the decoder', () => {
    for (const label of Object.keys(nameEncodings) as EncodingLabel[]) {
      expect(decoderFor([], { from: 'pcs', encoding: label }).decode(Buffer.from('a'))).toBe('a')
    }
  })
})
