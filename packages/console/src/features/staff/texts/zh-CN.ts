/** Texts of what staff manage. */
export const texts = {
  title: '运营',
  forbidden: '需要运营权限',
  forbiddenDetail: '这个页面只对运营人员开放。',
  invites: {
    title: '邀请链接',
    make: '创建邀请链接',
    submit: '创建',
    empty: '还没有邀请链接',
    emptyDetail: '创建一个链接发给家人或朋友，他们就能注册账号。每个链接只能使用一次。',
    signupOff: '注册已关闭，邀请链接暂时不能使用。启动时设置 HOMEPORT_SIGNUP=invite 可以开启。',
    nameless: '未命名',
    state: { open: '未使用', used: '已使用', expired: '已过期' },
    expires: '有效期至 {{when}}',
    usedBy: '{{name}} 于 {{when}} 使用',
    delete: '撤回邀请：{{name}}',
    deleteQuestion: '撤回后，这个链接将无法再注册。',
    made: '邀请链接已创建',
    madeDetail: '请现在复制：出于安全考虑，关闭后不会再次显示。',
    copy: '复制链接',
    qr: '邀请链接的二维码',
    address: '邀请链接',
    remark: '备注',
    remarkDetail: '例如发给谁，只有运营人员能看到',
    days: '有效期',
    dayUnit: '天',
  },
  announcements: {
    title: '公告',
    publish: '发布公告',
    submit: '发布',
    empty: '还没有公告',
    emptyDetail: '发布后，访客和用户会看到公告弹窗，直到点击“知道了”。',
    hidden: '不显示',
    delete: '删除公告：{{title}}',
    deleteQuestion: '删除后无法恢复。',
    head: '标题',
    detail: '内容',
    url: '链接',
    urlDetail: '可选，点击公告时在新窗口打开',
    urlForm: '请填写以 http:// 或 https:// 开头的地址',
    display: '显示给所有人',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    staff: typeof texts
  }
}
