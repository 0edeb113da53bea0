/** The themes to choose from. */
export const themes = ['auto', 'light', 'dark'] as const
