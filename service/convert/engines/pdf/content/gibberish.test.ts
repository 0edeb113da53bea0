import { expect, test } from 'vitest'
import { isGibberish } from './gibberish.ts'

const english =
  'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood, whatever their language or birth.'

test('letters that each stand for another form no words', () => {
  const shifted = english.replace(/[a-y]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 1))
  expect([english, shifted].map(isGibberish)).toEqual([false, true])
})

test.each([
  [
    'Welsh',
    "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Fe'u cynysgaeddir â rheswm a chydwybod, a dylai pawb ymddwyn y naill at y llall mewn ysbryd cymodlon.",
  ],
  [
    'Hawaiian',
    'Hānau kūʻokoʻa ʻia nā kānaka apau loa, a ua kau like ka hanohano a me nā pono kīvila ma luna o kākou pākahi.',
  ],
  [
    'Roman numerals',
    'II III IV VI VII VIII IX XI XII XIII XIV XV XVI XVII XVIII XIX XXI XXII XXIII XXIV XXV XXVI XXVII XXVIII XXIX XXXI XXXII XXXIII XXXIV XXXV',
  ],
  [
    'DNA',
    'ACGTACGTTGCA CCGTAGGTTTGA GGTACCATAGAC TTGACCAGTACA GACATTAGGCAT ACCATGGATTAC CAGGATTACCAG TTACAGGACCAT GGATACCATTAG CATTAGGACCAT AGGACATTACCA TACCAGGATTAC GATTACAGGACC CCATTAGGATAC ATTACCAGGACA GGACCATTAACG',
  ],
  [
    'hexadecimal digits',
    Array.from({ length: 40 }, (_, n) => ((n * 2_654_435_761) % 2 ** 32).toString(16)).join(' '),
  ],
  [
    'formulas',
    'NaCl KBr CuSO4 FeCl3 MgO CaCO3 HCl NaOH KMnO4 ZnCl2 BaSO4 AgNO3 PbI2 HgCl2 CdS ZnS MnO2 CrO3 NiSO4 CoCl2 SnCl4 TiO2 VO2',
  ],
  [
    'variables',
    'xx xy xz yy yz zz xxx xxy xyz kx ky kz vx vy vz px py pz qx qy qz dx dy dz wx wy wz fx fy fz hx hy hz jx jy jz',
  ],
])('%s are no gibberish', (_, text) => {
  expect(isGibberish(text)).toBe(false)
})
