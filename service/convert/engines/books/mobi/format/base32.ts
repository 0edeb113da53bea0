/** Numbers in Kindle addresses such as `kindle:embed:0001`: base 32 with the digits 0 to 9 and A to V. */

export const fromBase32 = (digits: string): number => Number.parseInt(digits, 32)

export const toBase32 = (value: number, digits: number): string =>
  value.toString(32).toUpperCase().padStart(digits, '0')
