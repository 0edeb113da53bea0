import type { Look } from '../../service/catalogue/preview.ts'

type Of<Kind extends Look['kind']> = Extract<Look, { kind: Kind }>

export type PictureLook = Of<'picture'>
export type SoundLook = Of<'sound'>
export type TextLook = Of<'text'>
export type FontLook = Of<'font'>
export type EntriesLook = Of<'entries'>
