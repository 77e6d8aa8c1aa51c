import { describe, expect, it } from 'vitest'
import { createAllowList } from './allow-list.ts'

describe('allow-list', () => {
  const standard = createAllowList({ ranges: [], loopback: false })

  it.each([
    '192.168.1.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    'fd12::1',
    '::ffff:192.168.1.1',
  ])('lets the private address %s through by default', address =>
    expect(standard.allows(address)).toBe(true),
  )

  it.each([
    ['the public internet', '8.8.8.8'],
    ['the public internet in IPv6', '2001:4860:4860::8888'],
    ['just outside 172.16/12', '172.32.0.1'],
    ['carrier NAT', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback in IPv6', '::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['link-local', '169.254.1.1'],
    ['link-local in IPv6', 'fe80::1'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata in a private range', 'fd00:ec2::254'],
    ['credentials of pods in a private range', 'fd00:ec2::23'],
    ['metadata of another cloud in a private range', 'fd20:ce::254'],
    ['metadata of a third cloud in a private range', 'fd00:42::42'],
    ['metadata of a fourth cloud in a private range', 'fd00:c1::a9fe:a9fe'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['multicast', '224.0.0.1'],
    ['multicast in IPv6', 'ff02::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified in IPv6', '::'],
    ['broadcast', '255.255.255.255'],
    ['NAT64 of a private address', '64:ff9b::c0a8:101'],
    ['a name', 'localhost'],
    ['a zone', 'fe80::1%eth0'],
    ['nothing', ''],
  ])('refuses %s (%s) by default', (_, address) => expect(standard.allows(address)).toBe(false))

  it('keeps to the ranges that were given', () => {
    const narrow = createAllowList({ ranges: ['192.168.1.0/24'], loopback: false })
    expect(narrow.allows('192.168.1.77')).toBe(true)
    expect(narrow.allows('192.168.2.1')).toBe(false)
    expect(narrow.allows('10.0.0.1')).toBe(false)
  })

  it('never opens link-local, metadata or loopback through a wide range', () => {
    const wide = createAllowList({ ranges: ['0.0.0.0/0', '::/0'], loopback: false })
    expect(wide.allows('8.8.8.8')).toBe(true)
    expect(wide.allows('64:ff9b::808:808')).toBe(true)
    for (const address of [
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::7f00:1',
      '::ffff:0:169.254.169.254',
      '2002:a9fe:a9fe::1',
      'fe80::1',
      '127.0.0.1',
      '::1',
      '0.0.0.0',
    ]) {
      expect(wide.allows(address)).toBe(false)
    }
  })

  it('opens loopback only where it was asked for', () => {
    const local = createAllowList({ ranges: [], loopback: true })
    expect(local.allows('127.0.0.1')).toBe(true)
    expect(local.allows('::1')).toBe(true)
  })

  it('names every range that is not one', () => {
    expect(() =>
      createAllowList({ ranges: ['10.0.0.0/8', 'lan', '1.2.3.4/99'], loopback: false }),
    ).toThrow('not a CIDR range: lan, 1.2.3.4/99')
  })
})
