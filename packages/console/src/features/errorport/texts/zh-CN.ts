/** Texts of the error page of a name. */
export const texts = {
  noName: '没有要检查的域名',
  noNameDetail: '打开外网域名失败时，会在这里说明原因。',
  looking: '正在查找原因…',
  device: '设备：{{name}}',
  owner: '所有者：{{name}}',
  open: '打开',
  again: '重新检查',
  toDevice: '查看这台设备',
  toDevices: '我的设备',
  reason: {
    ok: '现在可以访问了',
    unknown: '这个域名没有被使用',
    offline: '设备不在线',
    disabled: '这个域名已停用',
    paused: '设备已暂停',
    denied: '您没有访问权限',
  },
  next: {
    ok: '刚才的问题已经消失，可以再次打开。',
    unknown: '请检查地址是否有误，或向提供地址的人确认。',
    offline: '设备断电或断网时会这样，请稍后再试或联系所有者。',
    disabled: '所有者停用了它，请联系所有者。',
    paused: '所有者暂停了这台设备，请联系所有者。',
    denied: '请联系所有者，或换一个有权限的账号登录。',
  },
  ownNext: {
    ok: '刚才的问题已经消失，可以再次打开。',
    unknown: '可以在设备里添加这个域名。',
    offline: '请检查设备的电源、网络和客户端是否在运行。',
    disabled: '在设备的外网域名里启用它，就能访问。',
    paused: '恢复这台设备，就能访问。',
    denied: '请检查这个域名的访问方式。',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    errorport: typeof texts
  }
}
