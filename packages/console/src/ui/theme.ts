import type { ThemeConfig } from 'antd'

/** The console's look: one accent colour (5.9:1 on white), soft corners. */
export const theme: ThemeConfig = {
  token: {
    colorPrimary: '#0b6b86',
    colorInfo: '#0b6b86',
    colorLink: '#0b6b86',
    colorSuccess: '#1a7f4b',
    colorError: '#c2352b',
    colorWarning: '#a86400',
    // antd mixes the pale tones from the strong ones; from tones as deep as ours they would come out grey.
    colorPrimaryBg: '#e6f2f5',
    colorPrimaryBgHover: '#d6e9ee',
    colorInfoBg: '#e6f2f5',
    colorInfoBorder: '#b5d6df',
    colorSuccessBg: '#e8f6ee',
    colorSuccessBorder: '#b4dfc6',
    colorWarningBg: '#fdf4e3',
    colorWarningBorder: '#f0d9a8',
    colorErrorBg: '#fdeeec',
    colorErrorBorder: '#f2c2bd',
    colorText: '#16232b',
    colorTextSecondary: '#51626d',
    colorTextDescription: '#51626d',
    // 4.7:1 on white: what stands in an empty field is read too.
    colorTextPlaceholder: '#66757f',
    colorBgLayout: 'transparent',
    colorBorderSecondary: '#e4eaee',
    borderRadius: 8,
    borderRadiusLG: 12,
    fontSize: 14,
    fontFamily: 'var(--font)',
    controlHeight: 36,
    // Whoever asked the system for less motion gets none from the components.
    motion: globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches !== true,
  },
  components: {
    Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
    // A problem's line is 22 px and needs air before the next label.
    Form: { itemMarginBottom: 28 },
  },
}
