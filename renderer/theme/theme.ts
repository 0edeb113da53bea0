import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** The green of old filing cabinets. */
const pine: MantineColorsTuple = [
  '#eaf5ef',
  '#d3e9de',
  '#a6d4bd',
  '#7ccaa6',
  '#5bc699',
  '#36a277',
  '#238060',
  '#17634a',
  '#124f3b',
  '#0d3b2c',
]

const brick: MantineColorsTuple = [
  '#fdeeec',
  '#f9d9d4',
  '#f3b5ad',
  '#ff9d92',
  '#f5897d',
  '#d65548',
  '#c2402f',
  '#ad3425',
  '#8d2a1d',
  '#6c2016',
]

/** The library's greys, warmed to match the green of the frame: index 0 is the lightest of both. */
const gray: MantineColorsTuple = [
  '#f6f8f5',
  '#edf1ec',
  '#e2e8e2',
  '#d3dbd4',
  '#c2ccc3',
  '#a3b0a7',
  '#7a897f',
  '#566259',
  '#333e37',
  '#15201a',
]

const dark: MantineColorsTuple = [
  '#dfe8e3',
  '#b6c4bc',
  '#98a79f',
  '#6d7d74',
  '#3d4b44',
  '#2b3731',
  '#1d2621',
  '#161d19',
  '#111714',
  '#0b100e',
]

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 4 },
  // The text colour on a filled button depends on the colour scheme, which the library's own contrast rule ignores.
  variantColorResolver: input => {
    const colors = defaultVariantColorsResolver(input)
    if (input.variant === 'filled') return { ...colors, color: 'var(--on-fill)' }
    if (input.variant !== 'light') return colors
    return {
      ...colors,
      background: 'var(--brand-tint)',
      hover: 'var(--brand-tint-hover)',
      color: 'var(--brand-ink)',
    }
  },
  colors: { pine, brick, gray, dark },
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-mono)',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '20px' },
  fontSizes: { xs: '13px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Popups stay inside the page's main landmark.
    Popover: { defaultProps: { portalProps: { target: '#content' } } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.45 } } },
    // A menu focuses its first item at once: the library's place for the focus is no item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Switch: { defaultProps: { withThumbIndicator: false } },
  },
})

/** Maps the library's variables to the palette in tokens.css, so that every colour is defined in one place. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--surface-2)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--brand-ink)',
  }
  return { variables: {}, light: shared, dark: shared }
}
