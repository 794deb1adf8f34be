/** Spellings of loopback addresses. A private server may send webhooks to them, a public one never. */
export const LOOPBACK_HOSTS = split(`
  127.0.0.1 127.0.0.1. 127.1 127.1. 127.0.1 127.0.0.01 127.00.00.01 127.000.000.001
  0177.0.0.1 0177.0.0.01 0177.0.01 0177.1 00000177.0.0.1 0177.0000.0000.0001 017700000001 0017700000001
  0x7f.0.0.1 0x7f.0x0.0x0.0x1 0x7f.1 0X7F.1 0x7F.0.1 0x7f000001 0X7F000001 0x000000007f000001 0x7f.0x1
  0x7f.0.0x0001 127.0x1 0x7f.00.0.01 2130706433 2130706433. 127.0.257 127.0.0.1%2e
  %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 %30x7f.1 1２7.0.0.1 １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1
  ①②⑦.⓪.⓪.① ①②⑦.0.0.1 ⑫７.0.0.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 𝟷𝟸𝟽.𝟶.𝟶.𝟷 ⓪ⓧ⑦ⓕ.① ²130706433 127.0.0.¹ 1\u00AD27.0.0.1
  127.0.0.2 127.8.8.8 127.127.127.127 127.255.255.254 0x7f.255.255.254 2147483646 127.65530
  0.0.0.0 0 0. 0x0 00 0.0 0x0.0x0 000.000.000.000 00000000000 ⓪
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0.0.0.1] [::] [0::0]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:127.1.2.3] [::ffff:0.0.0.0]
  localhost LOCALHOST localhost. LocalHost. ⓛocalhost ｌocalhost loc%61lhost a.localhost x.y.localhost
`)

/** Other ways to reach private and special networks: addresses that embed loopback addresses, and names. */
export const PRIVATE_HOSTS = split(`
  [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2002:7f00:0001::1] [2001:0:7f00:1::] [2001::80ff:fffe] [fe80::5efe:127.0.0.1] 0.1 0.0.0.1
  10.0.0.0 10.0.0.1 10.255.255.255 0xa.1 012.0.0.1 167772161 10.1 ①⓪.0.0.1 [::ffff:10.0.0.1] [::ffff:a00:1]
  172.16.0.1 172.31.255.255 0xac.16.0.1 2886729729 192.168.0.1 192.168.255.255 0300.0250.0.1 0xc0a80001
  3232235521 192.168.1 [::ffff:192.168.0.1] [64:ff9b::192.168.0.1] [2002:c0a8:1::] [::192.168.0.1]
  100.64.0.1 100.127.255.255 169.254.0.1 169.254.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.88.99.1
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
  4294967295 0xffffffff [fc00::1] [fd00::1] [fd12:3456:789a::1] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1]
  [ff00::1] [ff02::1] [ff0e::1] [100::1] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [2001::1] [2001:0:1::1] [2001:2::1]
  [2001:10::1] [2001:20::1] [2001:db8::1] [2002::1] [2002:808:808::1] [3fff::1] [5f00::1] [4000::1] [8000::1]
  [::ffff:8.8.8.8] [::8.8.8.8] [::2] [1::1] 2130706433.. 0x7f.0.0.0x1g
  127.0.0.1.nip.io 10-0-0-1.sslip.io localtest.me spoofed.example.com. own-api.example.com xn--fiqs8s
`)

/**
 * Addresses at which clouds hand out credentials. Every server refuses them, whether or not they are listed.
 */
export const METADATA_HOSTS = split(`
  169.254.169.254 169.254.169.254. 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 2852039166 0251.0376.0251.0376 025177524776
  169.254.43518 169.16689662 169.254.0xa9fe 0251.254.169.254 ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 169。254。169。254
  %31%36%39.254.169.254 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:a9fe:a9fe] [::169.254.169.254]
  [::a9fe:a9fe] [::ffff:0:a9fe:a9fe] [64:ff9b::169.254.169.254] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a9fe:a9fe]
  [64:ff9b:1:a9fe:a9:fe00::] [2002:a9fe:a9fe::] [2002:a9fe:a9fe::1] [2001:0:a9fe:a9fe::1]
  [2001::5601:5601] [fe80::a9fe:a9fe] [fe80::5efe:a9fe:a9fe] [fe80::200:5efe:a9fe:a9fe]
  169.254.169.253 169.254.170.2 169.254.170.23 169.254.42.42 169.254.0.23 [::ffff:a9fe:aa02]
  100.100.100.200 0x64.100.100.200 1684301000 [::ffff:100.100.100.200] [64:ff9b::6464:64c8] [2002:6464:64c8::]
  192.0.0.192 [::ffff:192.0.0.192] 168.63.129.16 0xa83f8110 [::ffff:168.63.129.16] [64:ff9b::a83f:8110]
  [fd00:ec2::254] [fd00:0ec2:0:0:0:0:0:254] [FD00:EC2::254] [fd00:ec2::23] [fd20:ce::254] [fd00:c1::a9fe:a9fe]
  [fd00:42::42] [fd00:a9fe:a9fe::1]
`)

/** Texts that are not http or https URLs. PORT stands for a port on which a canary listens. */
export const INVALID_URLS = [
  ...split(`
    file:///etc/passwd file://127.0.0.1:PORT/ ftp://127.0.0.1:PORT/ gopher://127.0.0.1:PORT/_POST ws://127.0.0.1:PORT/
    wss://127.0.0.1:PORT/ dict://127.0.0.1:PORT/ ldap://127.0.0.1:PORT/ tftp://127.0.0.1:PORT/ javascript:alert(1)
    data:text/plain,hi blob:http://127.0.0.1:PORT/x about:blank unix:/var/run/docker.sock mailto:a@b.example
    http+unix://%2Fvar%2Frun%2Fdocker.sock/ jar:http://127.0.0.1:PORT/!/ view-source:http://127.0.0.1:PORT/ urn:a:b
    127.0.0.1:PORT localhost:PORT //127.0.0.1:PORT/ /path http:// https:// http://:PORT/ http://[::1:PORT/
    http://[::1]:PORTx/ http://127.0.0.1:99999/ http://127.0.0.1:-1/ http://256.0.0.1:PORT/ http://1.2.3.4.5:PORT/
    http://127.0.0.1%00.example.com:PORT/ http://127.0.0.1%20:PORT/ http://[fe80::1%25lo]:PORT/ http://[::1%lo]:PORT/
    http://[v1.127]:PORT/ http://4294967296:PORT/ http://0x100000000:PORT/
    http://127.0.0.1|:PORT/ http://a<b:PORT/ http://%zz:PORT/
  `),
  '',
  ' ',
  'null',
  'http://127.0.0.1 :PORT/',
]

/** URLs that disguise a loopback address. */
export const DISGUISED_URLS = [
  ...split(`
    http://example.com@127.0.0.1:PORT/ http://example.com:80@127.0.0.1:PORT/ http://example.com%2f@127.0.0.1:PORT/
    http://a:b@127.0.0.1:PORT/ http://@127.0.0.1:PORT/ http://127.0.0.1:PORT/#@example.com
    http://127.0.0.1:PORT?@example.com http:/127.0.0.1:PORT/ http:127.0.0.1:PORT http:///127.0.0.1:PORT/
    http:////127.0.0.1:PORT/ HTTP://127.0.0.1:PORT/ hTtPs://127.0.0.1:PORT/ https://127.0.0.1:PORT/
    https://localhost:PORT/ https://[::1]:PORT/ http://8.8.8.8@127.0.0.1:PORT/ http://%zz:%@127.0.0.1:PORT/
    http://169.254.169.254@127.0.0.1:PORT/ http://127.0.0.1:PORT/..//8.8.8.8/
  `),
  'http:\\\\127.0.0.1:PORT\\',
  'http://127.0.0.1:PORT\\@example.com/',
  '  http://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  'http://127.0.\t0.1:PORT/',
  'http://8.8.8.8\r\n@127.0.0.1:PORT/',
]

function split(text: string) {
  return text.trim().split(/[ \n]+/)
}
