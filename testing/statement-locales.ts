/** Bank statements of many countries, written as web pages with the dates and amounts of their locales, and printed by LibreOffice. */
import { randomFrom } from './fixtures/random.ts'

export interface TrueRow {
  date: string
  description: string
  /** Hundredths; negative for outgoing amounts. */
  amount: number
  balance: number | null
}

interface Words {
  period: (from: string, to: string) => string
  date: string
  text: string
  /** Headings of columns. */
  out: string
  in: string
  amount: string
  balance: string
  opening: string
  closing: string
  /** Headings of sections. */
  outgoings: string
  incomings: string
  /** A card: its title, what is owed before and after, and a limit that is no transaction. */
  card: string
  owed: string
  owes: string
  limit: string
  payees: string[]
}

const words = (list: string, period: Words['period']): Words => {
  const [date, text, out, income, amount, balance, opening, closing, ...more] = list.split(/\s*\|\s*/)
  const [outgoings, incomings, card, owed, owes, limit, ...payees] = more
  const columns = { date, text, out, in: income, amount, balance, opening, closing }
  return { ...columns, outgoings, incomings, card, owed, owes, limit, payees, period } as Words
}

/** Currency and words by locale. */
const locales: Record<string, [currency: string, words: Words]> = {
  'en-US': [
    'USD',
    words(
      'Date|Description|Withdrawals|Deposits|Amount|Balance|Beginning Balance|Ending Balance|Withdrawals and Other Debits|Deposits and Other Credits|Credit Card Statement|Previous Balance|New Balance|Credit Limit|Whole Market 24|Electric Co|Rent May Street',
      (from, to) => `Statement period ${from} through ${to}`,
    ),
  ],
  'en-GB': [
    'GBP',
    words(
      'Date|Details|Paid out|Paid in|Amount|Balance|Balance brought forward|Balance carried forward|Payments out|Payments in|Credit card statement|Previous balance|New balance|Credit limit|Corner Shop 12|TV Licence|Direct Debit Water',
      (from, to) => `Your statement ${from} to ${to}`,
    ),
  ],
  'de-DE': [
    'EUR',
    words(
      'Buchungstag|Verwendungszweck|Soll|Haben|Betrag|Saldo|Alter Kontostand|Neuer Kontostand|Ausgaben|Einnahmen|Kreditkartenabrechnung|Alter Saldo|Neuer Saldo|Verfügungsrahmen|Bäckerei Müller|Miete Mai Straße 7|Stadtwerke Abschlag',
      (from, to) => `Kontoauszug vom ${from} bis ${to}`,
    ),
  ],
  'de-CH': [
    'CHF',
    words(
      'Datum|Buchungstext|Belastung|Gutschrift|Betrag|Saldo|Saldovortrag|Schlusssaldo|Belastungen|Gutschriften|Kreditkartenabrechnung|Letzter Saldo|Neuer Saldo|Kreditlimite|Migros Basel|Dauerauftrag Miete|Krankenkasse',
      (from, to) => `Kontoauszug ${from} - ${to}`,
    ),
  ],
  'fr-FR': [
    'EUR',
    words(
      'Date|Libellé|Débit|Crédit|Montant|Solde|Ancien solde|Nouveau solde|Opérations au débit|Opérations au crédit|Relevé de carte de crédit|Solde précédent|Nouveau solde|Plafond autorisé|CB Carrefour Août|PRLV EDF|Virement loyer',
      (from, to) => `Relevé de compte du ${from} au ${to}`,
    ),
  ],
  'es-ES': [
    'EUR',
    words(
      'Fecha|Concepto|Cargo|Abono|Importe|Saldo|Saldo anterior|Saldo final|Cargos|Abonos|Extracto de tarjeta de crédito|Saldo anterior|Nuevo saldo|Límite de crédito|Compra Mercado|Recibo luz|Alquiler piso 3',
      (from, to) => `Extracto del ${from} al ${to}`,
    ),
  ],
  'it-IT': [
    'EUR',
    words(
      'Data|Descrizione|Uscite|Entrate|Importo|Saldo|Saldo iniziale|Saldo finale|Uscite|Entrate|Estratto conto carta di credito|Saldo precedente|Nuovo saldo|Limite di credito|Pagamento POS Bar|Bolletta gas|Affitto via Roma',
      (from, to) => `Estratto conto dal ${from} al ${to}`,
    ),
  ],
  'nl-NL': [
    'EUR',
    words(
      'Datum|Omschrijving|Af|Bij|Bedrag|Saldo|Beginsaldo|Eindsaldo|Afschrijvingen|Bijschrijvingen|Creditcardoverzicht|Vorig saldo|Nieuw saldo|Bestedingslimiet|Albert Heijn 1076|Energie termijn|Huur Dorpsstraat',
      (from, to) => `Rekeningafschrift van ${from} tot en met ${to}`,
    ),
  ],
  'pt-BR': [
    'BRL',
    words(
      'Data|Histórico|Débito|Crédito|Valor|Saldo|Saldo anterior|Saldo final|Saídas|Entradas|Fatura do cartão de crédito|Saldo anterior|Saldo atual|Limite de crédito|Pix Padaria|Conta de luz|Aluguel casa 5',
      (from, to) => `Extrato de ${from} a ${to}`,
    ),
  ],
  'pt-PT': [
    'EUR',
    words(
      'Data|Descrição|Débitos|Créditos|Montante|Saldo|Saldo inicial|Saldo final|Débitos|Créditos|Extrato de cartão de crédito|Saldo anterior|Saldo atual|Limite de crédito|Compra Continente|Débito direto EDP|Renda da casa',
      (from, to) => `Extrato de ${from} a ${to}`,
    ),
  ],
  'pl-PL': [
    'PLN',
    words(
      'Data operacji|Opis|Obciążenia|Uznania|Kwota|Saldo|Saldo początkowe|Saldo końcowe|Obciążenia|Uznania|Wyciąg z karty kredytowej|Poprzednie saldo|Nowe saldo|Limit kredytowy|Sklep Żabka|Czynsz za maj|Energia',
      (from, to) => `Wyciąg za okres od ${from} do ${to}`,
    ),
  ],
  'sv-SE': [
    'SEK',
    words(
      'Datum|Text|Uttag|Insättning|Belopp|Saldo|Ingående saldo|Utgående saldo|Uttag|Insättningar|Kreditkort kontoutdrag|Föregående saldo|Nytt saldo|Kreditgräns|ICA Nära|Hyra maj|Elräkning',
      (from, to) => `Kontoutdrag ${from} - ${to}`,
    ),
  ],
}

/** What a statement shows. */
const kinds = {
  /** A column for each direction, and the balance. */
  columns: { date: { dateStyle: 'short' } },
  /** Signed amounts and the balance, months by name. */
  signed: { date: { dateStyle: 'medium' } },
  /** Months in full, a second line below each description, newest first. */
  long: { date: { dateStyle: 'long' } },
  /** Days without a year; headings for outgoing and incoming amounts, which have no sign. */
  sections: { date: { day: '2-digit', month: '2-digit' } },
  /** Purchases without a sign, payments with a minus, and what is owed. */
  card: { date: { day: 'numeric', month: 'short' } },
} as const satisfies Record<string, { date: Intl.DateTimeFormatOptions }>

export interface LocalStatement {
  name: string
  html: string
  rows: TrueRow[]
}

const ROWS = 45

function statementOf(tag: string, kind: keyof typeof kinds, seed: number): LocalStatement {
  const [currency, text] = locales[tag]!
  const random = randomFrom(seed)
  const pick = (limit: number) => Math.floor(random() * limit)
  const day = (date: Date, options: Intl.DateTimeFormatOptions = kinds[kind].date) =>
    date.toLocaleDateString(tag, { ...options, timeZone: 'UTC' })
  // Every other bank prints the currency.
  const style = seed % 2 ? { style: 'currency', currency } : {}
  const money = (cents: number) =>
    (cents / 100).toLocaleString(tag, {
      ...(style as object),
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    })
  const isCard = kind === 'card'
  const opening = 50_000 + pick(900_000)
  let balance = opening
  let time = Date.UTC(2024, 10, 20)
  const first = new Date(time)
  let rows = Array.from({ length: ROWS }, (_, index) => {
    time += 86_400_000 * pick(3)
    const amount = (1 + pick(random() < 0.2 ? 400_000 : 9000)) * (random() < 0.3 ? 1 : -1)
    balance += isCard ? -amount : amount
    const description = `${text.payees[pick(text.payees.length)]} ${String.fromCharCode(65 + (index % 26))}${kind === 'long' ? ` / ${text.text} ${index}` : ''}`
    return { at: new Date(time), description, amount, balance }
  })
  const hasBalance = kind !== 'sections' && kind !== 'card'
  if (kind === 'long') rows.reverse()
  if (kind === 'sections')
    rows = rows.toSorted((one, other) => Math.sign(other.amount) - Math.sign(one.amount))
  const cells = (...contents: string[]) =>
    `<tr>${contents.map((content, index) => `<td${index > 1 ? ' align=right' : ''}>${content}</td>`).join('')}</tr>`
  const line = ({ at, description, amount, balance: after }: (typeof rows)[number]) => {
    const start = [day(at), description.replace(' / ', '<br>')]
    if (kind === 'columns')
      return cells(...start, amount < 0 ? money(-amount) : '', amount > 0 ? money(amount) : '', money(after))
    if (kind === 'signed' || kind === 'long') return cells(...start, money(amount), money(after))
    return cells(...start, money(isCard ? -amount : Math.abs(amount)))
  }
  const columns =
    kind === 'columns'
      ? [text.out, text.in, text.balance]
      : kind === 'signed' || kind === 'long'
        ? [text.amount, text.balance]
        : [text.amount]
  const total = (label: string, cents: number) =>
    cells('', label, ...columns.slice(1).map(() => ''), money(cents))
  const head = `<thead><tr>${[text.date, text.text, ...columns].map((name, index) => `<th align=${index > 1 ? 'right' : 'left'}>${name}</th>`).join('')}</tr></thead>`
  const table = (...lines: string[]) => `<table width="100%" cellpadding=2>${head}${lines.join('')}</table>`
  const numeric = { dateStyle: 'short' } as const
  const period = text.period(day(first, numeric), day(new Date(time), numeric))
  const part = (direction: number) => rows.filter(({ amount }) => Math.sign(amount) === direction).map(line)
  const [before, after] = isCard ? [text.owed, text.owes] : [text.opening, text.closing]
  const edges = [total(before, opening), total(after, balance)]
  if (kind === 'long') edges.reverse()
  const body =
    kind === 'sections'
      ? `<table width="100%">${edges[0]}</table><p>${text.incomings}</p>${table(...part(1))}<p>${text.outgoings}</p>${table(...part(-1))}<table width="100%">${edges[1]}</table>`
      : table(edges[0]!, ...rows.map(line), edges[1]!)
  const limit = isCard ? `<p>${text.limit} ${money(1_000_000)}</p>` : ''
  const html = `<!doctype html><html lang="${tag}"><head><meta charset="utf-8"><title>Statement</title></head><body style="font: 9pt Liberation Sans"><p>${isCard ? text.card : 'Example Bank'}</p><p>${period}</p>${limit}${body}</body></html>`
  return {
    name: `${tag} ${kind}`,
    html,
    rows: rows.map(({ at, description, amount, balance: left }) => ({
      date: at.toISOString().slice(0, 10),
      description: description.replace(' / ', ' '),
      amount,
      balance: hasBalance ? left : null,
    })),
  }
}

export const localStatements: readonly LocalStatement[] = Object.keys(locales).flatMap((tag, at) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind, index) => statementOf(tag, kind, at + index)),
)
