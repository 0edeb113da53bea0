/** Text that a spreadsheet would run as a formula begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/

/** Text that no spreadsheet takes for a formula, as OWASP recommends against CSV injection. */
export const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/**
 * A record of a CSV file (RFC 4180), with its CRLF. Text that a spreadsheet would take for a formula gets a leading
 * apostrophe; numbers stay numbers.
 */
export const csvRecord = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(field).join(',')}\r\n`

function field(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
