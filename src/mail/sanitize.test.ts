import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, mailOf, part, pixel, textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'
import { sanitizeMail } from './sanitize.ts'

const { read } = startReader()
const clean = (html: string): string => sanitizeMail(html, () => null)

const hostile = [
  '<script>alert(1)</script>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<noembed><img src=x onerror=alert(1)></noembed>',
  '<noframes><img src=x onerror=alert(1)></noframes>',
  '<title><img src=x onerror=alert(1)></title>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<a href="java\tscript:alert(1)">x</a><a href=" &#1;javascript:alert(1)">x</a><a href="data:text/html,x">x</a>',
  '<img src="https://x.example/a.png" srcset="https://x.example/b.png" onerror=alert(1) data-file=7 data-src=javascript:x>',
  '<img src="javascript:alert(1)"><img src="data:image/svg+xml;base64,PHN2Zz4="><input type=image src=//x.example>',
  '<td background="https://x.example/a.png"><div style="background:url(https://x.example/a.png)">x</div>',
  '<base href="https://x.example"><meta http-equiv=refresh content="0;https://x.example"><link rel=stylesheet href=//x.example>',
  '<form action="https://x.example"><button formaction="javascript:alert(1)">x</button></form>',
  '<video poster="https://x.example/a.png" src="https://x.example/a.mp4" autoplay></video><object data=x></object><embed src=x>',
  '<div class="gmail_quote x-admin" id="root" onclick=alert(1)>x</div>',
  '<p style="display:none"><img src=x onerror=alert(1)>',
  '<!--[if mso]><script>alert(1)</script><![endif]-->',
]

for (const html of hostile)
  test(`removes everything that runs or loads from ${html.slice(0, 60)}`, () => {
    const tags = clean(html).match(/<[^>]*>/g) ?? []
    assert.deepEqual(
      tags.filter(tag => !/^<\/?(?:a|b|p|div|img|td|table|blockquote)\b/.test(tag)),
      [],
    )
    const names = tags.flatMap(tag => tag.replaceAll(/"[^"]*"/g, '""').match(/[\w-]+(?==)/g) ?? [])
    const allowed = ['href', 'rel', 'target', 'title', 'data-src', 'class']
    assert.deepEqual(
      names.filter(name => !allowed.includes(name)),
      [],
    )
    assert.deepEqual(
      tags.filter(tag => /="\s*(?:javascript|data):/i.test(tag)),
      [],
    )
  })

test('removes an element hidden by its style and keeps the visible one after it', () => {
  assert.equal(clean('<div style="display:none">a</div><div style="color:red">b</div>'), '<div>b</div>')
})

test('stores an image from a data URL as an inline file', async () => {
  const html = `<p>Look</p><img src="data:image/png;base64,${pixel}" alt="crack">`
  const mail = await read(
    mailOf(group('mixed', 'm', part('text/html', html), part('application/pdf; name=a.pdf', 'x'))),
  )
  assert.equal(mail.html, '<p>Look</p><img alt="crack" data-file="1" />')
  assert.deepEqual(
    mail.files.map(file => [file.filename, file.size, file.isInline]),
    [
      ['a.pdf', 1, false],
      ['image.png', 70, true],
    ],
  )
})

test('does not list an AMP alternative as a file', async () => {
  const parts = [
    part('text/plain', 'Hi'),
    part('text/x-amp-html', '<html amp4email>'),
    part('text/html', '<p>Hi</p>'),
  ]
  const mail = await read(mailOf(group('alternative', 'a', ...parts)))
  assert.deepEqual([mail.html, mail.files], ['<p>Hi</p>', []])
})

test('keeps the direction of right-to-left HTML', async () => {
  const mail = await read(
    textMail(['Content-Type: text/html; charset=utf-8'], '<div dir="rtl" lang="ar">أين طلبي؟</div>'),
  )
  assert.equal(mail.html, '<div dir="rtl" lang="ar">أين طلبي؟</div>')
})
