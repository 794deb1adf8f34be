import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { base64, group, mailOf, part, pixel, textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'

const { read } = startReader()
const attached = (name: string) => `Content-Disposition: attachment; ${name}`
const picture = (...headers: string[]) => part('image/png', pixel, base64, ...headers)

test('keeps the plain text and the HTML if the plain text contains as much', async () => {
  const html = '<p>Mir fehlt die <b>dritte</b> Schraube.</p>'
  const plain = 'Mir fehlt die *dritte* Schraube.'
  const raw = mailOf(group('alternative', 'a', part('text/plain', plain), part('text/html', html)))
  const { text, html: shown } = await read(raw)
  assert.deepEqual([text, shown], [plain, html])
})

test('uses the text of the HTML if a Chinese plain text part is only a notice', async () => {
  const parts = [
    part('text/plain; charset=utf-8', '请使用支持HTML的程序'),
    part('text/html; charset=utf-8', '<div>灯坏了，请换一个新的。</div>'),
  ]
  assert.equal((await read(mailOf(group('alternative', 'a', ...parts)))).text, '灯坏了，请换一个新的。')
})

test('uses the plain text part if the HTML has no text', async () => {
  const parts = [
    part('text/plain', 'The real text.'),
    part('text/html', '<html><body><br>&nbsp;</body></html>'),
  ]
  const { text, html } = await read(mailOf(group('alternative', 'a', ...parts)))
  assert.deepEqual([text, html], ['The real text.', null])
})

test('keeps the order of HTML, a file and HTML in one alternative from Apple Mail', async () => {
  const rich = group(
    'mixed',
    'm',
    part('text/html', '<p>One</p>'),
    part('application/pdf; name=a.pdf', 'x'),
    part('text/html', '<p>Two</p>'),
  )
  const mail = await read(mailOf(group('alternative', 'a', part('text/plain', 'One\n\nTwo'), rich)))
  assert.deepEqual([mail.text, mail.html], ['One\n\nTwo', '<p>One</p>\n<p>Two</p>'])
  assert.deepEqual(
    mail.files.map(({ filename }) => filename),
    ['a.pdf'],
  )
})

test('appends the plain text footer of a mailing list to the HTML', async () => {
  const mail = await read(
    mailOf(group('mixed', 'm', part('text/html', '<p>Hi</p>'), part('text/plain', '--\nLeave <here>'))),
  )
  assert.equal(mail.html, '<p>Hi</p>\n<p>--<br>Leave &lt;here&gt;</p>')
  assert.equal(mail.text, 'Hi\n\n--\nLeave <here>')
})

test('matches inline images despite odd spellings of Content-IDs and lists the others as attachments', async () => {
  const html =
    '<p><img src="cid:a%40x"><img src="CID: b@x "><img src="c@x"><img src="https://example.com/d.png"><img src="cid:none"></p>'
  const pictures = ['<a@x>', ' b@x ', '<C@X>', '<e@x>'].map(id => picture(`Content-ID: ${id}`))
  const mail = await read(mailOf(group('related', 'r', part('text/html', html), ...pictures)))
  assert.deepEqual(
    mail.files.map(file => [file.contentId, file.isInline, file.size]),
    [
      ['a@x', true, 70],
      ['b@x', true, 70],
      ['C@X', true, 70],
      ['e@x', false, 70],
    ],
  )
  assert.equal(
    mail.html,
    '<p><img data-file="0" /><img data-file="1" /><img data-file="2" /><img data-src="https://example.com/d.png" /><img /></p>',
  )
})

test('shows an image with a Content-Location inline', async () => {
  const html = '<p>x<img src="image001.png"></p>'
  const mail = await read(
    mailOf(group('related', 'r', part('text/html', html), picture('Content-Location: image001.png'))),
  )
  assert.equal(mail.html, '<p>x<img data-file="0" /></p>')
})

const names: [headers: string[], name: string][] = [
  [[attached("filename*=UTF-8''%e2%82%ac%20rates.pdf")], '€ rates.pdf'],
  [[attached("filename*0*=iso-8859-1''Gr%F6; filename*1*=%DFe; filename*2=.pdf")], 'Größe.pdf'],
  [[attached('filename="=?iso-2022-jp?B?GyRCQEE1YT1xGyhC?=.pdf"')], '請求書.pdf'],
  [[attached('filename==?utf-8?Q?Rechnung=5F1=2Epdf?=')], 'Rechnung_1.pdf'],
  [[attached('filename=two words.pdf')], 'two words.pdf'],
  [[attached('filename="Größe.pdf"')], 'Größe.pdf'],
  [['Content-Disposition: attachment'], 'file.pdf'],
]

test('decodes file names in RFC 2231, RFC 2047, raw bytes and broken quotes', async () => {
  const files = names.map(([headers]) => part('application/pdf', 'x', ...headers))
  const mail = await read(mailOf(group('mixed', 'm', part('text/plain', 'Files'), ...files)))
  assert.deepEqual(
    mail.files.map(({ filename }) => filename),
    names.map(([, name]) => name),
  )
})

test('decodes a raw file name in the charset of the text', async () => {
  const raw = `--m\nContent-Type: text/plain; charset=windows-1251\n\nФайл\n--m\nContent-Type: application/pdf; name="счёт.pdf"\n\nx\n--m--\n`
  const mail = await read(textMail(['Content-Type: multipart/mixed; boundary=m'], raw, 'win1251'))
  assert.deepEqual([mail.text, mail.files[0]?.filename], ['Файл', 'счёт.pdf'])
})

test('stores an attached text file with its bytes and their SHA-256', async () => {
  const log = part(
    'text/plain; name="debug.log"',
    'bGluZTENCmxpbmUy',
    'Content-Disposition: inline; filename="debug.log"',
    base64,
  )
  const { files, text } = await read(mailOf(group('mixed', 'm', part('text/plain', 'See.'), log)))
  assert.equal(text, 'See.')
  assert.equal(readFileSync(files[0]!.path, 'utf8'), 'line1\r\nline2')
  assert.equal(files[0]!.sha256, createHash('sha256').update('line1\r\nline2').digest('hex'))
})

test('joins format=flowed lines of the same depth and keeps the signature separator', async () => {
  const flowed = '> quoted \n> text\nanswer \ngoes on\n\n-- \nAnn\n From here'
  const { text } = await read(textMail(['Content-Type: text/plain; format=flowed'], flowed))
  assert.equal(text, '> quoted text\nanswer goes on\n\n-- \nAnn\nFrom here')
})

test('joins Japanese format=flowed lines with DelSp without a space', async () => {
  const { text } = await read(
    textMail(['Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes'], '注文が \n届きません'),
  )
  assert.equal(text, '注文が届きません')
})

test('keeps the text of quoted-printable with broken escapes', async () => {
  const headers = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable']
  assert.equal(
    (await read(textMail(headers, 'Gr=C3=BC=C3=9Fe =3D 100=%=ZZ')).then(mail => mail.text)).slice(0, 11),
    'Grüße = 100',
  )
})

test('shows the parts after a nested multipart without a closing boundary', async () => {
  const raw = mailOf(
    group(
      'mixed',
      'm',
      part('multipart/alternative; boundary=open', '--open\nContent-Type: text/plain\n\nInside'),
      picture(),
    ),
  )
  const mail = await read(raw)
  assert.deepEqual([mail.text, mail.files.length], ['Inside', 1])
})

test('lists the emails in a digest as files', async () => {
  const raw = mailOf(
    group(
      'digest',
      'd',
      { headers: [], body: 'Subject: One\n\nFirst' },
      { headers: [], body: 'Subject: Two/Three\n\nSecond' },
    ),
  )
  const mail = await read(raw)
  assert.deepEqual(
    mail.files.map(({ filename }) => filename),
    ['One.eml', 'Two_Three.eml'],
  )
  assert.equal(mail.attached, null)
})

test('removes NUL and lone surrogates from text, HTML, headers and file names', async () => {
  const html = part('text/html', 'a\0b&#xD800;c&#0;d')
  const mail = await read(
    mailOf(group('mixed', 'm', html, part('application/pdf; name="a\0b.pdf"', 'x')), 'Subject: x\0y'),
  )
  assert.equal(JSON.stringify(mail).includes('\\u0000'), false)
  assert.ok(JSON.stringify(mail).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(mail)))
  assert.equal(mail.headers.subject, 'xy')
})

test('converts HTML to text with links, lists and quotes and without hidden preview text', async () => {
  const html =
    '<title>T</title><div style="display: none">Preview</div><p>See <a href="https://example.com/a">this</a> and <a href="https://example.com">https://example.com</a></p><ul><li>One</li></ul><blockquote type="cite">Old</blockquote>'
  const mail = await read(textMail(['Content-Type: text/html'], html))
  assert.equal(mail.text, 'See this [https://example.com/a] and https://example.com\n\n * One\n\n> Old')
  assert.match(mail.html!, /<blockquote type="cite">Old/)
})

test('keeps classes and ids that mark quotes and removes other classes, ids and styles', async () => {
  const html =
    '<div class="gmail_quote other" id="x" style="color:red">a</div><div id="divRplyFwdMsg">b</div><div class="MsoNormal x_gmail_attr">c</div>'
  assert.equal(
    (await read(textMail(['Content-Type: text/html'], html))).html,
    '<div class="gmail_quote">a</div><div id="divRplyFwdMsg">b</div><div class="x_gmail_attr">c</div>',
  )
})
