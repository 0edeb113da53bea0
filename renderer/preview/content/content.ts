import type { PreviewContent } from '../../../service/convert/catalogue/preview.ts'

type Of<Kind extends PreviewContent['kind']> = Extract<PreviewContent, { kind: Kind }>

export type PictureContent = Of<'picture'>
export type SoundContent = Of<'sound'>
export type TextContent = Of<'text'>
export type FontContent = Of<'font'>
export type EntriesContent = Of<'entries'>
