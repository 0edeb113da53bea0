/**
 * Parses a typed time to seconds: `1:02:03`, `2:03.5`, `83` or `83,5`; undefined for an empty field and `NaN` for an
 * invalid time.
 */
export function secondsOf(typed: string): number | undefined {
  const words = typed.trim().replace(',', '.')
  if (words === '') return undefined
  if (!/^\d{1,5}(:\d{1,2}){0,2}(\.\d{0,3})?$/.test(words)) return Number.NaN
  const [last = 0, ...larger] = words.split(':').map(Number).toReversed()
  if (larger.length > 0 && last >= 60) return Number.NaN
  if (larger.length > 1 && (larger[0] ?? 0) >= 60) return Number.NaN
  return Math.round((last + (larger[0] ?? 0) * 60 + (larger[1] ?? 0) * 3600) * 1000) / 1000
}

/** A time in the form `h:mm:ss`, or `m:ss` below an hour, with fractions of a second. */
export function timeText(seconds: number): string {
  const thousandths = Math.round(seconds * 1000)
  const whole = Math.floor(thousandths / 1000)
  const fraction =
    thousandths % 1000 === 0
      ? ''
      : `.${String(thousandths % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = `${two(whole % 60)}${fraction}`
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}
