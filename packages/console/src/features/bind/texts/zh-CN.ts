/** Texts of the page that binds a waiting device. */
export const texts = {
  title: '绑定设备',
  question: '这是您的设备吗？',
  detail: '一台设备请求绑定到您的账号。请确认下面的信息与它一致，不认识的设备不要绑定。',
  name: '名称',
  model: '型号',
  agent: '程序',
  address: '来自地址',
  unknown: '未知',
  left: '请求 {{left}} 后过期',
  bind: '绑定到我的账号',
  notMine: '不是我的设备',
  refused: {
    title: '没有绑定',
    detail: '这台设备不会出现在您的账号里，它的请求稍后自动失效。',
  },
  done: { title: '“{{name}}”已绑定', detail: '它会在几秒内上线。', open: '查看设备' },
  bound: { title: '这台设备已经绑定', detail: '同一个请求只能使用一次。' },
  gone: {
    title: '请求不存在或已过期',
    detail: '请在设备上重新运行命令，再打开它新打印的链接。',
  },
  missing: {
    title: '链接不完整',
    detail: '请完整复制设备打印的链接，或在“我的设备”里添加设备。',
  },
  failed: '请求没能加载',
  bindFailed: '没能绑定',
  devices: '我的设备',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    bind: typeof texts
  }
}
