/** Fills in the fields of a form (ISO 32000-1, 12.7.4). */
import { PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib'
import { dictEntry, entry, items, lineage, name, numberEntry, remove, textOf } from '../pdfa/objects.ts'
import { drawFields } from '../prepare/appearances.ts'
import { type Field, FLAGS, fieldsOf } from '../prepare/fields.ts'

/** What people write for a box that is ticked, and for one that is not. */
const YES = /^(x|y|yes|true|on|1|☒|✓|✔)$/i
const NO = /^(|n|no|false|off|0|☐)$/i

/** What became of values: the names of all fields, those that no field has, those whose field does not take the value, and scripts without a font. */
interface Filled {
  fields: string[]
  unknown: string[]
  refused: string[]
  lacking: string[]
}

/** Sets fields by their names, whatever their case; what is not named stays. */
export async function fillForm(document: PDFDocument, values: ReadonlyMap<string, string>): Promise<Filled> {
  const widgets = new Map<string, { title: string; fields: Field[] }>()
  for (const field of fieldsOf(document)) {
    const title = titleOf(field.widget)
    const key = plain(title)
    const known = widgets.get(key) ?? { title, fields: [] }
    known.fields.push(field)
    if (field.type !== 'Sig' && !(field.flags & FLAGS.push && field.type === 'Btn')) widgets.set(key, known)
  }
  const [unknown, refused]: [string[], string[]] = [[], []]
  for (const [title, value] of values) {
    const known = widgets.get(plain(title))
    if (!known) unknown.push(title)
    else if (!setValue(known.fields, value)) refused.push(title)
  }
  // A form of XFA within would show its own values.
  remove(dictEntry(document.catalog, 'AcroForm'), 'XFA')
  const { lacking } = await drawFields(document)
  return { fields: [...widgets.values()].map(({ title }) => title), unknown, refused, lacking }
}

const plain = (title: string) => title.trim().toLowerCase()

/** The names of a field and of those around it, joined by points. */
const titleOf = (widget: PDFDict): string =>
  [...lineage(widget)]
    .filter(dict => dict.has(name('T')))
    .map(dict => textOf(entry(dict, 'T')))
    .reverse()
    .join('.')

/** The dictionary that holds the value of a field: that which has its name. */
const holderOf = (widget: PDFDict): PDFDict =>
  [...lineage(widget)].find(dict => dict.has(name('T'))) ?? widget

/** @returns whether the field takes the value */
function setValue(fields: readonly Field[], given: string): boolean {
  const [field] = fields
  const holder = holderOf(field!.widget)
  if (field!.type === 'Btn') return setButton(fields, holder, given.trim())
  const longest = numberEntry(holder, 'MaxLen')
  const value = field!.type === 'Ch' ? choiceOf(field!, given) : given
  if (value === undefined || (longest !== undefined && longest > 0 && value.length > longest)) return false
  holder.set(name('V'), PDFHexString.fromText(value))
  remove(holder, 'RV', 'I')
  for (const { widget } of fields) {
    remove(widget, 'AP')
    if (widget !== holder) remove(widget, 'V')
  }
  return true
}

/** The code of an option, given itself or as it is shown; anything for a list that can be written into. */
function choiceOf({ value, widget, flags }: Field, given: string): string | undefined {
  const options = value('Opt')
  const all = options instanceof PDFArray ? [...items(widget.context, options)] : []
  const codes = all.map(option =>
    option instanceof PDFArray ? [...items(widget.context, option)].map(textOf) : [textOf(option)],
  )
  const found =
    codes.find(texts => texts.includes(given)) ??
    codes.find(texts => texts.some(text => plain(text) === plain(given)))
  return found?.[0] ?? (given === '' || flags & FLAGS.editable ? given : undefined)
}

function setButton(fields: readonly Field[], holder: PDFDict, given: string): boolean {
  const states = fields.map(({ widget }) => stateOf(widget))
  const options = fields[0]!.value('Opt')
  const shown = options instanceof PDFArray ? [...items(holder.context, options)].map(textOf) : []
  const isRadio = (fields[0]!.flags & FLAGS.radio) !== 0
  let chosen = states.findIndex((state, index) =>
    [state, shown[index]].some(text => text && plain(text) === plain(given)),
  )
  if (chosen < 0 && !isRadio && YES.test(given)) chosen = 0
  if (chosen < 0 && !NO.test(given)) return false
  const on = chosen < 0 ? 'Off' : states[chosen]!
  holder.set(name('V'), PDFName.of(on))
  // Boxes of one name that stand for the same are ticked together.
  for (const [index, { widget }] of fields.entries())
    widget.set(name('AS'), PDFName.of(states[index] === on ? on : 'Off'))
  return true
}

/** The name of the state in which a button is on. */
function stateOf(widget: PDFDict): string {
  const normal = entry(widget, 'AP', 'N')
  const states = normal instanceof PDFDict ? normal.keys().map(key => key.decodeText()) : []
  return states.find(state => state !== 'Off') ?? 'Yes'
}
