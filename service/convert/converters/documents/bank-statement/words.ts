/**
 * Words that statements use, in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Polish; the most common
 * ones in Japanese, Chinese and Korean, which do not separate words.
 */

export type Role = 'debit' | 'credit' | 'amount' | 'balance'

const DEBIT =
  /\b(debits?|withdrawals?|paid out|money out|out|payments|soll|belastung|ausgang|débits?|debito|débito|dépenses|cargos?|adeudos?|addebiti|dare|uscite|af|uit|uttag|saídas?|charges|obciążenia|wypłaty)\b|出金|支払|支出|借方|출금/iu
const CREDIT =
  /\b(credits?|deposits?|paid in|money in|in|receipts|haben|gutschrift|eingang|crédits?|crédito|recettes|abonos?|accrediti|avere|entrate|bij|insättning|entradas?|uznania|wpłaty)\b|入金|預り|预入|收入|存入|貸方|贷方|입금/iu
const BALANCE = /\b(balance|saldo|solde|kontostand)\b|残高|余额|餘額|잔액/iu
const AMOUNT =
  /\b(amount|betrag|umsatz|montante?|importe|importo|bedrag|belopp|valor|kwota)\b|金額|金额|금액/iu
const DATE = /\b(date|datum|fecha|data|buchungstag|buchung|dato)\b|日付|日期|取引日|거래일|날짜/iu

/** Role of the column that a heading names. */
export function roleOf(heading: string): Role | null {
  if (BALANCE.test(heading)) return 'balance'
  const [debit, credit] = [DEBIT.test(heading), CREDIT.test(heading)]
  if (debit && credit) return 'amount'
  if (AMOUNT.test(heading)) return 'amount'
  return debit ? 'debit' : credit ? 'credit' : null
}

export const namesDate = (text: string): boolean => DATE.test(text)

const OPENING =
  /(opening|previous|start(ing)?|beginning|initial|brought forward|carried over from|balance b\/f|alter (konto)?(saldo|stand)|saldovortrag|saldo anteriore|vorig saldo|letzter saldo|anfangs(saldo|bestand)|ancien solde|solde (initial|précédent)|saldo (anterior|inicial|iniziale|precedente)|beginsaldo|vorige saldo|(ingående|föregående|poprzednie) saldo|saldo początkowe|繰越|期初|前期|이월)/iu
const CLOSING =
  /(closing|ending|end balance|new balance|carried forward|final|balance c\/f|neuer (konto)?(saldo|stand)|schluss-?saldo|end(saldo|bestand)|nouveau solde|solde (final|nouveau)|saldo (final|nuevo|finale|actual|atual|końcowe)|(nuevo|nuovo|novo|nieuw|utgående|nytt|nowe) saldo|eindsaldo|期末|기말)/iu

const namesBalance = (text: string): boolean =>
  BALANCE.test(text) || /forward|saldo|stand|bestand|繰越|이월/iu.test(text)
export const isOpening = (text: string): boolean => OPENING.test(text) && namesBalance(text)
export const isClosing = (text: string): boolean => CLOSING.test(text) && namesBalance(text)

/**
 * A balance on a date, such as `Solde au 31/01/2025`: the opening balance above the transactions, the closing one below them.
 */
export const isBalanceOn = (text: string): boolean =>
  /^(solde|saldo|balance|kontostand|saldi)\b[^\d]{0,30}(\d{1,2}[-/.\s]\d{1,2}[-/.\s]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}\.? \p{L}{3,10}\.? \d{4}|\p{L}{3,10} \d{1,2},? \d{4})(?![\d/-])/iu.test(
    text.trim(),
  )

/** Whether a line above the transactions says that they are those of a credit card. */
export const namesCard = (text: string): boolean =>
  /credit ?card|card statement|minimum payment|kreditkarte?n?|carte de crédit|tarjeta de crédito|carta di credito|cartão de crédito|kart[ay] kredytow|kreditkort/iu.test(
    text,
  )

/** Totals at the foot of a table, which are not transactions. */
export const isTotal = (text: string): boolean =>
  /^(sub)?(totals?|totaux|totale|totaal|summe|gesamt|zwischensumme|suma|totais)\b/iu.test(text.trim())

/** What headings of sections say before the word that decides. */
const KIND =
  '(?:(?:electronic|other|atm|debit|card|online|mobile|automatic|automated|direct|bank|wire|cash|bill|pos|ach|service|&|and)\\s+)*'
const INTO = new RegExp(
  `^${KIND}(deposits|credits|money in|paid in|additions|payments received|gutschriften|einnahmen|crédits|créditos|abonos|accrediti|entrate|entradas|bijschrijvingen|insättningar|uznania|wpłaty)\\b`,
  'iu',
)
const OUT = new RegExp(
  `^${KIND}(withdrawals|subtractions|debits|money out|paid out|checks|cheques|fees|charges|purchases|payments|belastungen|lastschriften|ausgaben|débits|débitos|cargos|addebiti|uscite|saídas|afschrijvingen|uttag|obciążenia|wypłaty)\\b`,
  'iu',
)

/** The sign of the rows below a heading such as "Withdrawals". */
export function signOfSection(text: string): -1 | 0 | 1 {
  const trimmed = text.trim()
  if (trimmed.length > 60 || /\d/.test(trimmed)) return 0
  return INTO.test(trimmed) ? 1 : OUT.test(trimmed) || /^card transactions\b/i.test(trimmed) ? -1 : 0
}

const ACCOUNT =
  /\b(?:account|acct|a\/c|konto|compte|cuenta|conto|conta|rekening)\b[^\d]{0,30}?((?:[\dX*•]{1,6}[\s-]?){1,8}[\dX*•]{2,})/iu
const IBAN = /\b([A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?)\b/u

/** Currency of the section that a line starts, such as "Currency: USD" or "EUR account". */
export function currencyIn(text: string): string | null {
  if (text.length > 80) return null
  const named = /\b(?:currency|währung|devise|moneda|valuta|divisa|moeda|munt)\b[\s:]*([A-Z]{3})\b/i.exec(
    text,
  )?.[1]
  const found = named ?? /^([A-Z]{3}) (?:account|konto|compte|cuenta|conto|conta|rekening)\b/i.exec(text)?.[1]
  return found && found === found.toUpperCase() ? found : null
}

/** The account number in a line. */
export function accountIn(text: string): string | null {
  const iban = IBAN.exec(text)?.[1]
  if (iban && iban.replace(/\s/g, '').length >= 15) return iban.replace(/\s/g, '')
  const number = ACCOUNT.exec(text)?.[1]?.trim()
  return number && number.replace(/\D/g, '').length >= 3 && number.length >= 6 ? number : null
}
