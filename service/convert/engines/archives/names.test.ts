import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { decoderFor, decodeWith } from './names.ts'

/** Names encoded by Python, so that the tables are not tested with themselves. */
function encoded(encoding: string, names: readonly string[]): Buffer[] {
  const script =
    'import sys, json; print(json.dumps([n.encode(sys.argv[1]).hex() for n in json.loads(sys.argv[2])]))'
  const printed = execFileSync('/usr/bin/python3', ['-c', script, encoding, JSON.stringify(names)])
  return (JSON.parse(printed.toString()) as string[]).map(hex => Buffer.from(hex, 'hex'))
}

type Case = [from: 'pcs' | 'unix', encoding: string, names: string[]]

/** Each row is an archive. */
const archives: Case[] = [
  ['pcs', 'shift_jis', ['写真.jpg']],
  ['pcs', 'shift_jis', ['表.txt']],
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
  ['unix', 'koi8-r', ['ПРИВЕТ']],
  ['unix', 'koi8-r', ['фото.jpg']],
  ['unix', 'cp866', ['ПРИВЕТ', 'привет']],
  ['unix', 'cp1251', ['фото.jpg', 'ОТЧЕТ.DOC']],
  ['unix', 'euc-jp', ['漢字.txt', '表紙.jpg']],
  ['unix', 'euc-jp', ['新しいテキスト.txt']],
  ['unix', 'cp1251', ['Документы/Договор №5.doc']],
  ['pcs', 'cp437', ['Größe.txt']],
  ['pcs', 'cp437', ['Übergabe für Müller.doc', 'Straße.jpg']],
  ['pcs', 'cp437', ['résumé.doc']],
  ['pcs', 'cp437', ['Añoranza/canción española.mp3']],
  ['pcs', 'cp437', ['½ cup.txt', '25°C.txt']],
  ['pcs', 'cp1252', ['Größe.txt']],
  ['pcs', 'cp1252', ['a±b.txt']],
  ['pcs', 'cp1252', ['25±5 mm.txt', 'T±C.txt']],
  ['pcs', 'cp1252', ['Café Olé.mp3', 'señor.mp3']],
  ['unix', 'cp1252', ['a±b.txt']],
  ['unix', 'cp1252', ['été.txt', 'naïve.txt']],
  ['unix', 'cp1252', ['x²±y³.dat', 'µm.dat', '10°.dat']],
  ['unix', 'cp1252', ['Übergrößenträger.txt']],
  ['unix', 'cp1252', ['Sm\u00f8rrebr\u00f8d \u2013 opskrift.txt']],
]

describe('names without a declared encoding', () => {
  test.each(archives)('from %s, %s: %j', (from, encoding, names) => {
    const bytes = encoded(encoding, names)
    const decoder = decoderFor(bytes, from)
    expect(bytes.map(name => decodeWith(decoder, name))).toEqual(names)
  })
})
