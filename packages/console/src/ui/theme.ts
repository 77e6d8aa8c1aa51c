import type { ThemeConfig } from 'antd'

/** The console's look: one accent colour (5.9:1 on white), soft corners, Chinese typefaces first. */
export const theme: ThemeConfig = {
  token: {
    colorPrimary: '#0b6b86',
    colorInfo: '#0b6b86',
    colorLink: '#0b6b86',
    colorSuccess: '#1a7f4b',
    colorError: '#c2352b',
    colorWarning: '#a86400',
    colorText: '#16232b',
    colorTextSecondary: '#51626d',
    colorTextDescription: '#51626d',
    colorBgLayout: 'transparent',
    colorBorderSecondary: '#e4eaee',
    borderRadius: 8,
    borderRadiusLG: 12,
    fontSize: 14,
    fontFamily:
      '"PingFang SC","Microsoft YaHei","Noto Sans CJK SC","Noto Sans SC",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
    controlHeight: 36,
    // Whoever asked the system for less motion gets none from the components.
    motion: globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches !== true,
  },
  components: {
    Menu: { itemBorderRadius: 8, itemHeight: 40, itemMarginInline: 8 },
    Layout: {
      headerHeight: 56,
      headerBg: 'transparent',
      siderBg: '#ffffff',
      bodyBg: 'transparent',
    },
  },
}
