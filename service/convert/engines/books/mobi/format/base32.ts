/** Numbers in Kindle addresses such as `kindle:embed:0001`: base 32 with the digits 0 to 9 and A to V. */
import { DamagedFile } from '../../../common/damage.ts'

/** @throws DamagedFile if a character is not a digit */
export function fromBase32(digits: string): number {
  if (!/^[0-9A-V]{1,10}$/i.test(digits)) throw new DamagedFile('no number of base 32')
  return Number.parseInt(digits, 32)
}

export const toBase32 = (value: number, digits: number): string =>
  value.toString(32).toUpperCase().padStart(digits, '0')
