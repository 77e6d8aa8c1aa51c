/** Texts of the account's token, in the header and on the account's page. */
export const texts = {
  label: '令牌',
  copy: '复制令牌',
  show: '显示令牌',
  hide: '隐藏令牌',
  detail: '新设备用它绑定到您的账号。像密码一样保管，不要发给别人。',
  reset: '重置令牌',
  resetTitle: '重置令牌？',
  resetWhat: '重置后：',
  resetOld: '旧令牌立即失效，用它写好的命令、脚本和二维码都不能再添加设备',
  resetSigned: '还没用掉的一次性令牌也一起失效',
  resetSignedCount: '（现在有 {{count}} 个）',
  resetDevices: '已绑定的设备不受影响，照常在线',
  resetDevicesCount: '（{{count}} 台）',
  irreversible: '此操作无法撤销。',
  resetConfirm: '重置令牌',
  resetDone: '令牌已重置',
  resetFailed: '没能重置令牌',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    token: typeof texts
  }
}
