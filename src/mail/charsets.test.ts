import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { base64, textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'

const { read } = startReader()

interface Example {
  rule: string
  /** From Content-Type; '' for none. */
  label: string
  /** The encoding that the test uses; `label` by default. */
  encoding?: string
  text: string
  charset: string
  type?: string
  bytes?: Buffer
}

const examples: Example[] = [
  { rule: 'Russian in KOI8-R', label: 'koi8-r', text: 'Где мой заказ?', charset: 'koi8-r' },
  { rule: 'Ukrainian in KOI8-U', label: 'koi8-u', text: 'Їжа приїхала холодною.', charset: 'koi8-u' },
  {
    rule: 'Czech in windows-1250',
    label: 'cp1250',
    encoding: 'win1250',
    text: 'Kde je moje zboží?',
    charset: 'windows-1250',
  },
  { rule: 'Polish in ISO-8859-2', label: 'ISO-8859-2', text: 'Zażółć gęślą jaźń', charset: 'iso-8859-2' },
  {
    rule: 'Turkish labelled as Latin 5',
    label: 'iso-8859-9',
    text: 'Şişe kırık geldi.',
    charset: 'windows-1254',
  },
  {
    rule: 'Greek in ISO-8859-7',
    label: 'greek',
    encoding: 'iso-8859-7',
    text: 'Πού είναι η λάμπα;',
    charset: 'iso-8859-7',
  },
  { rule: 'Arabic in windows-1256', label: 'windows-1256', text: 'أين طلبي؟', charset: 'windows-1256' },
  {
    rule: 'Thai in TIS-620',
    label: 'tis-620',
    encoding: 'tis620',
    text: 'สินค้าเสียหาย',
    charset: 'windows-874',
  },
  {
    rule: 'Vietnamese in windows-1258',
    label: 'windows-1258',
    text: 'Đơn hàng đâu',
    charset: 'windows-1258',
  },
  {
    rule: 'Japanese in Shift_JIS with the Windows label',
    label: 'cp932',
    encoding: 'shift_jis',
    text: '髙橋です。①番',
    charset: 'shift_jis',
  },
  { rule: 'Japanese in EUC-JP', label: 'euc-jp', text: '注文はどこですか', charset: 'euc-jp' },
  {
    rule: 'Chinese characters outside GB2312 with the label gb2312',
    label: 'gb2312',
    encoding: 'gb18030',
    text: '朱镕基先生的订单€',
    charset: 'gb18030',
  },
  { rule: 'Chinese in GBK', label: 'x-gbk', encoding: 'gbk', text: '灯坏了，請換一個', charset: 'gb18030' },
  { rule: 'Korean in CP949', label: 'cp949', text: '주문한 똠방각하', charset: 'euc-kr' },
  {
    rule: 'a euro sign in text labelled ISO-8859-1',
    label: 'iso-8859-1',
    encoding: 'win1252',
    text: '3 € “zu viel”',
    charset: 'windows-1252',
  },
  {
    rule: 'a label with underscores',
    label: 'ISO_8859-15',
    encoding: 'iso-8859-15',
    text: 'Œuvre à 5 €',
    charset: 'iso-8859-15',
  },
  { rule: 'a label in single quotes', label: "'utf-8'", text: 'Größe', charset: 'utf-8' },
  { rule: 'UTF-7', label: 'utf-7', text: 'Grüße', charset: 'utf-7' },
  {
    rule: 'big-endian UTF-16 without a byte order mark',
    label: 'utf-16',
    encoding: 'utf-16be',
    text: 'Anzeige',
    charset: 'utf-16be',
  },
  {
    rule: 'UTF-8 with a byte order mark and another label',
    label: 'windows-1251',
    encoding: 'utf8',
    text: '\uFEFFGröße',
    charset: 'utf-8',
  },
  {
    rule: 'UTF-8 labelled as ISO-8859-1',
    label: 'iso-8859-1',
    encoding: 'utf8',
    text: 'Größe für drei Füße',
    charset: 'utf-8',
  },
  {
    rule: 'windows-1252 labelled as UTF-8',
    label: 'utf-8',
    encoding: 'win1252',
    text: 'Größe für drei Füße',
    charset: 'windows-1252',
  },
  { rule: 'an unknown label', label: 'x-nobody-knows', encoding: 'utf8', text: 'Größe', charset: 'utf-8' },
  {
    rule: 'windows-1252 without a label',
    label: '',
    encoding: 'win1252',
    text: 'Déjà vu à Orléans',
    charset: 'windows-1252',
  },
  {
    rule: 'Japanese escape sequences without a label',
    label: '',
    text: 'こんにちは',
    charset: 'iso-2022-jp',
    bytes: Buffer.from('\x1b$B$3$s$K$A$O\x1b(B'),
  },
  {
    rule: 'Korean in ISO-2022-KR',
    label: 'iso-2022-kr',
    text: '안녕',
    charset: 'iso-2022-kr',
    bytes: Buffer.from('\x1b$)C\x0e>H3g\x0f'),
  },
  {
    rule: 'Chinese in HZ',
    label: 'hz-gb-2312',
    text: '灯 ok',
    charset: 'hz-gb-2312',
    bytes: Buffer.from('~{5F~} ok'),
  },
  {
    rule: 'HTML with the charset only in its meta element',
    label: '',
    type: 'text/html',
    encoding: 'win1251',
    text: '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">Где заказ',
    charset: 'windows-1251',
  },
]

for (const { rule, label, encoding, text, charset, type = 'text/plain', bytes } of examples)
  test(`decodes ${rule}`, async () => {
    const encoded = bytes ?? iconv.encode(text, encoding ?? label.replaceAll("'", ''), { addBOM: false })
    const headers = [`Content-Type: ${type}${label && `; charset=${label}`}`, base64]
    const mail = await read(textMail(headers, encoded.toString('base64')))
    assert.equal(mail.text, text.replace('\uFEFF', '').replace(/<.*>/, ''))
    assert.equal(mail.charset, charset)
    assert.equal(mail.reader, 'mailsplit')
  })

test('decodes a text with one damaged byte as UTF-8', async () => {
  const damaged = Buffer.concat([
    textMail([], 'Größe, Füße, Käse '),
    Buffer.from([0xff]),
    Buffer.from(' Ende'),
  ])
  const { text, charset } = await read(damaged)
  assert.equal(text, 'Größe, Füße, Käse \uFFFD Ende')
  assert.equal(charset, 'utf-8')
})

test('decodes a text without a charset in the charset of another text part', async () => {
  const lines = (label: string) => `--b\nContent-Type: text/plain${label}\n\n`
  const raw = `${lines('; charset=windows-1251')}Первый\n${lines('')}Второй\n--b--\n`
  const { text } = await read(textMail(['Content-Type: multipart/mixed; boundary=b'], raw, 'win1251'))
  assert.equal(text, 'Первый\n\nВторой')
})
