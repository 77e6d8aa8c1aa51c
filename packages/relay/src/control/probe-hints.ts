import { pageKinds } from '../pages/kinds.ts'

/** Codes of a flow that failed before the agent said anything about the target. */
export const deviceFaults: ReadonlySet<string> = new Set([
  'device_offline',
  'flow_timeout',
  'link_lost',
  'link_silent',
  'stream_reset',
  'agent_draining',
  'relay_draining',
])

const hints: Record<string, string> = {
  device_offline: '设备没有连接。请检查它的电源、网络和归港程序。',
  flow_timeout: '设备没有回应。请检查它的网络，或重启归港程序。',
  link_lost: '与设备的连接刚刚断开，请稍后重试。',
  link_silent: '设备没有回应。请检查它的网络。',
  target_refused: '内网服务拒绝了连接。请确认服务已启动，端口填写正确。',
  target_unreachable: '设备找不到通往目标的路。请确认地址正确，且与设备在同一网络。',
  target_timeout: '目标没有回应连接。请确认目标已开机，防火墙没有拦截。',
  target_not_allowed: '设备端不允许访问这个地址。请把它加入设备的允许列表。',
  target_tls_failed: '与目标的加密连接失败。请关闭“验证证书”，或检查协议是否应为 http。',
  target_dns_failed: '设备解析不了目标的名字。请改填内网 IP 地址。',
  target_invalid: '目标地址无效，请重新填写。',
  stream_limit: '这台设备的连接太多，请稍后再试。',
  memory_limit: '这台设备太忙，请稍后再试。',
  bad_response: pageKinds.bad_response.zh.next,
  target_silent: pageKinds.target_silent.zh.next,
  target_failed: pageKinds.target_failed.zh.next,
}

/** What the owner can do about a step that failed with this code. */
export const hintOf = (code: string): string => hints[code] ?? '线路内部出错，请稍后重试。'
