/** The categories of conversions, in the order in which they are named. */
export const categories = ['images', 'documents', 'audio', 'video', 'ebooks', 'fonts', 'archives'] as const
