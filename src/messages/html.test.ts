import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const ticket = await makeTicket(server.api)
/** The HTML of the content as a message; empty if the message is refused because it has no visible content. */
async function render(content: string, content_format: string): Promise<string> {
  const { status, body } = await server.api.post(`/tickets/${ticket.id}/messages`, {
    content,
    content_format,
  })
  if (status === 422) assert.equal(body.error_code, 'MESSAGE_EMPTY')
  return body.content_html ?? ''
}

const attacks = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.test/x.js></sCrIpT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror\n=\nalert(1)>',
  '<img/src=x/onerror=alert(1)//',
  '<img src=`x` onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /><a id=x><text>x</text></a>',
  '<svg><style><img title="</style><img src=x onerror=alert(1)>"></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><maction actiontype="statusline#" xlink:href="javascript:alert(1)">x</maction></math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;&#97;vascript&colon;alert(1)">x</a>',
  '<a href="jav&Tab;ascript&colon;alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="https://ok.test" onclick="alert(1)" style="background:url(javascript:alert(1))">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<video poster=javascript:alert(1)></video>',
  '<marquee onstart=alert(1)>',
  '<base href="javascript:alert(1)//">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<style>@import "javascript:alert(1)"; * { background: url(javascript:alert(1)) }</style>',
  '<div style="background-image:url(javascript:alert(1))">x</div>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<template><script>alert(1)</script></template>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<img srcset="javascript:alert(1) 1x">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<div data-x="<script>alert(1)</script>">x</div>',
  '<p title="&quot; onmouseover=alert(1) x=&quot;">x</p>',
  `${'<div>'.repeat(500)}<script>alert(1)</script>`,
]

const markdownAttacks = [
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](\u0001javascript:alert(1))',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](javascript:alert(1))',
  '![x](x"onerror="alert(1))',
  '![x" onerror="alert(1)](x)',
  '<javascript:alert(1)>',
  '[x](https://ok.test "\' onclick=alert(1) \'")',
  '```js" onclick="alert(1)\nx\n```',
  '`<script>alert(1)</script>`',
]

const forbiddenTags =
  /^<\/?(script|style|iframe|frame|object|embed|applet|form|input|button|textarea|select|svg|math|link|meta|base|template|noscript|xmp|plaintext|body|html|video|audio|source|marquee|title|portal)\b/i

const named: Record<string, string> = { colon: ':', Tab: '\t', NewLine: '\n' }

const decode = (text: string): string =>
  text
    .replaceAll(/&#(\d+);?/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (whole, name) => named[name] ?? whole)

/** The parts that a browser would execute. Checks everything between `<` and `>`, with attribute values unquoted. */
function findDangers(html: string): string[] {
  const dangers: string[] = []
  for (const [tag] of html.matchAll(/<[a-z/!?][^>]*>?/gi)) {
    if (forbiddenTags.test(tag)) dangers.push(tag)
    for (const [, name, value] of tag.matchAll(/[\s/"']([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/g)) {
      const url = decode(value!)
        .replaceAll(/["'\0-\x20]/g, '')
        .toLowerCase()
      if (/^on|^style$|^srcdoc$|^formaction$|^data-/i.test(name!)) dangers.push(`${name}=${value}`)
      if (/^(javascript|vbscript|data):?/.test(url)) dangers.push(`${name}=${value}`)
    }
  }
  return dangers
}

test('the check itself detects the attacks', () => {
  const blind = [
    '<![CDATA',
    '<?xml',
    '\u003cscr',
    '&lt;',
    'data:image',
    '<img srcset',
    '<p title',
    '<svg',
    '<math',
    '<img/src',
  ]
  for (const attack of attacks) {
    if (blind.some(start => attack.startsWith(start)) || /^<scr<|^<!--|=&quot;/.test(attack)) continue
    assert.notDeepEqual(findDangers(attack), [], attack)
  }
})

for (const [format, corpus] of [
  ['html', attacks],
  ['markdown', [...attacks, ...markdownAttacks]],
] as const) {
  test(`content_html of ${format} has no script, no on… attribute and no javascript: URL`, async () => {
    const rendered = await Promise.all(corpus.map(attack => render(attack, format)))
    rendered.forEach((html, at) => {
      assert.deepEqual(findDangers(html), [], `${corpus[at]}\n→ ${html}`)
    })
  })
}

test('content_html of text is escaped, and contains only paragraphs, line breaks and links', async () => {
  const corpus = [...attacks, ...markdownAttacks]
  for (const html of await Promise.all(corpus.map(attack => render(attack, 'text')))) {
    const tags = /<\/?p>|<br>|<a href="[^"<>]*" rel="noopener noreferrer nofollow" target="_blank">|<\/a>/g
    assert.equal(html.replaceAll(tags, '').search(/[<>]/), -1, html)
  }
})

test('content is stored as it was sent, in every format', async () => {
  for (const format of ['text', 'markdown', 'html']) {
    const content = `${attacks[0]} ok`
    const message = await makeMessage(server.api, ticket.id, { content, content_format: format })
    assert.deepEqual([message.content, message.content_format], [content, format])
  }
})

test('Markdown and harmless HTML are rendered', async () => {
  assert.equal(await render('**a** _b_', 'markdown'), '<p><strong>a</strong> <em>b</em></p>')
  const link = await render('[x](https://ok.test/a?b=1&c=2)', 'markdown')
  assert.match(link, /<a href="https:\/\/ok\.test\/a\?b=1&amp;c=2"[^>]*rel="noopener[^>]*>x<\/a>/)
  assert.match(await render('<p>a <b>b</b></p><ul><li>c</li></ul>', 'html'), /<b>b<\/b>.*<li>c<\/li>/)
  assert.equal(await render('a\nb\n\nc', 'text'), '<p>a<br>b</p><p>c</p>')
})

test('an attack in an edited message is removed too', async () => {
  const message = await makeMessage(server.api, ticket.id)
  const change = { content: '<img src=x onerror=alert(1)><b>ok</b>', content_format: 'html' }
  const { content_html } = (await server.api.patch(`/messages/${message.id}`, change)).body
  assert.deepEqual(findDangers(content_html), [])
  assert.match(content_html, /<b>ok<\/b>/)
})

test('64 KiB of the worst Markdown and HTML are rendered within 2 s of processor time', async () => {
  const pieces = ['[', '*a_', '`', '<a ', '> ', '[](', '<div>']
  for (const piece of pieces) {
    for (const format of ['markdown', 'html']) {
      const begun = process.cpuUsage()
      await render(piece.repeat(Math.floor(65_536 / piece.length)), format)
      // Processor time, which other programs on the machine do not increase.
      const { user } = process.cpuUsage(begun)
      assert.ok(user < 2e6, `${piece} as ${format}: ${user / 1_000} ms`)
    }
  }
})
