/** The categories of conversions, in display order. */
export const categories = ['images', 'documents', 'audio', 'video', 'ebooks', 'fonts', 'archives'] as const
