/** The extension of a name, with both parts of `.tar.gz` and `.kepub.epub`; none that would be part of a path. */
export const extensionOf = (name: string): string => /\.((?:tar\.|kepub\.)?[^./\\:]+)$/.exec(name)?.[1] ?? ''
