/** Texts of leaving: a copy of the own data, deleting the account, restoring it. */
export const texts = {
  export: {
    title: '导出数据',
    detail: '资料、设备、外网域名、登录记录等，存成一个 JSON 文件。里面没有密码、令牌和密钥。',
    submit: '导出',
    done: '文件已保存',
    failed: '没能导出',
    limit: '每天最多 5 次。',
  },
  leave: {
    title: '注销账号',
    detail: '先停用 14 天，期间登录即可恢复；之后彻底删除。',
    open: '注销账号…',
    last: '您是唯一的超级管理员。请先设置另一位，再注销。',
    dialogTitle: '注销账号？',
    atOnce: '立即停用：',
    sessions: '所有浏览器退出登录',
    devices: '{{count}} 台设备断开，没有人能访问',
    devicesNone: '没有设备会断开',
    records: '{{count}} 个外网域名停用，访客会看到“不存在”',
    later: '14 天后彻底删除：',
    lost: '设备、外网域名、通行密钥和所有记录',
    names: '外网域名再保留 30 天，之后别人可以使用',
    plans: '已购套餐一并作废，不能退款',
    exportFirst: '需要留底的话，先导出数据。',
    confirm: '输入用户名 {{username}} 以确认',
    mismatch: '与您的用户名不一致',
    code: '动态码或恢复码',
    codeNeeded: '请填写动态码或恢复码',
    codeWrong: '验证码不正确或已使用',
    submit: '注销账号',
    failed: '没能注销',
  },
  gone: {
    title: '账号已停用',
    detail: '账号将在 {{instant}} 彻底删除。在那之前登录，就可以恢复。',
  },
  restore: {
    title: '这个账号正在注销',
    detail: '{{username}} 将在 {{instant}} 彻底删除。恢复后一切照旧，设备会自己重新连上。',
    submit: '恢复账号',
    stay: '保持注销',
    failed: '没能恢复',
    expired: '已经过了恢复的时限，请重新登录。',
    loadFailed: '没能查到这个账号',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    leaving: typeof texts
  }
}
