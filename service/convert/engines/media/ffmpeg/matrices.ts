/** ffmpeg's scaler names for matrix coefficients, by code point (ITU-T H.273, table 4). */
export const matrixNames: Readonly<Record<number, string>> = {
  1: 'bt709',
  4: 'fcc',
  5: 'bt601',
  6: 'bt601',
  7: 'smpte240m',
  9: 'bt2020',
}
