/** Texts of the frame and of what every page shares. */
export const texts = {
  brand: '归港',
  titles: {
    check: '验证登录',
    login: '登录',
    errorport: '访问错误',
    ssoConfirm: '确认登录',
    setup: '初始设置',
    restore: '恢复账号',
    reset: '重置密码',
    statistics: '主页',
    devices: '我的设备',
    bind: '绑定设备',
    userInfo: '个人信息',
    playersare: '玩家交流',
    productos: '兑换码管理',
    record: '验证记录',
    invite: '邀请好友',
    buy: '购买套餐',
    announcements: '公告',
    tutorial: '教程',
    staff: '运营',
  },
  menu: {
    label: '主菜单',
    info: '信息',
    help: '帮助',
    open: '打开菜单',
    account: '账号菜单',
    skip: '跳到主要内容',
  },
  action: {
    retry: '重试',
    reload: '重新加载',
    back: '返回',
    backHome: '返回我的设备',
    cancel: '取消',
    confirm: '确定',
    save: '保存',
    delete: '删除',
    close: '关闭',
    copy: '复制',
    copied: '已复制',
    copyFailed: '复制失败，请手动选择复制',
    signOut: '退出登录',
    signingOut: '正在退出…',
    signIn: '登录',
  },
  language: {
    label: '切换语言',
    'zh-CN': '简体中文',
    en: 'English',
  },
  loading: '正在加载…',
  justNow: '刚刚',
  failure: {
    title: '出了点问题',
    network: '无法连接服务器，请检查网络后重试。',
    timeout: '服务器没有及时回应，请重试。',
    unreadable: '服务器的回答无法识别，请稍后再试。',
    unknown: '服务暂时不可用，请稍后再试。',
    pageTitle: '页面没能打开',
    page: '可能是刚刚发布了新版本，重新加载通常就好了。',
    profileTitle: '暂时无法确认登录状态',
    requestId: '请求编号',
  },
  field: {
    required: '请填写这一项',
    tooShort: '至少需要 {{min}} 个字符',
    too_small: '内容太短',
    too_big: '内容太长',
    invalid_format: '格式不正确',
    invalid_value: '不能填写这个值',
    other: '填写不正确',
  },
  outbox: '开发收件箱',
  qr: { failed: '二维码无法显示' },
  showPassword: '显示密码',
  hidePassword: '隐藏密码',
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
  }
  interface ResourceNamespaceMap {
    common: typeof texts
  }
}
