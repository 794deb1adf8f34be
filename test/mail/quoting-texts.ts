/** Plain text replies to one of our emails in the formats of various mail programs. `{…}` stands for the quoted email. */

export const ours = {
  text: `Hello Ann,

We can send a new lamp tomorrow. Please tell us which colour you prefer, because the green one is sold out until the end of the month.

Which colour do you want?
And where shall it go?

You can follow it at https://acme.example/track/4711

Thank you
Omar`,
  html: `<p dir="auto">Hello Ann,</p><p dir="auto">We can send a new lamp tomorrow. Please tell us which colour you prefer, because the green one is sold out until the end of the month.</p><p dir="auto">Which colour do you want?<br>And where shall it go?</p><p dir="auto">You can follow it at <a href="https://acme.example/track/4711">https://acme.example/track/4711</a></p><p dir="auto">Thank you<br>Omar</p>`,
}

/** Wraps lines at 72 characters, like mail programs. */
function wrap(text: string): string[] {
  return text.split('\n').flatMap(line => {
    const lines = ['']
    for (const word of line.split(' ')) {
      if (lines.at(-1)!.length + word.length > 72) lines.push('')
      lines.push(`${lines.pop()} ${word}`.trim())
    }
    return lines
  })
}

const quote = (quoted: string, mark: string): string =>
  wrap(quoted)
    .map(line => `${mark}${line}`.trimEnd())
    .join('\n')

const texts: Record<string, [own: string, mail: string]> = {
  'Gmail, Japanese': [
    '青でお願いします。',
    '{own}\n\n2026年11月3日(火) 9:00 Acme Support <support@desk.example.com>:\n\n{> }\n',
  ],
  'Gmail for Android, Arabic': [
    'نعم، شكرا.',
    '{own}\n\nفي الثلاثاء، ٣ نوفمبر ٢٠٢٦ في ٩:٠٠ ص تمت كتابة ما يلي بواسطة ‪Acme Support‬‏ <‪\nsupport@desk.example.com‬‏>:\n\n{> }\n',
  ],
  'Gmail, Hungarian': [
    'Köszönöm, kéket kérek.',
    '{own}\n\nAcme Support <support@desk.example.com> ezt írta (időpont: 2026. nov. 3., K,\n9:00):\n\n{> }\n',
  ],
  'Gmail, Vietnamese': [
    'Màu xanh, cảm ơn.',
    '{own}\n\nVào Th 3, 3 thg 11, 2026 vào lúc 09:00 Acme Support <\nsupport@desk.example.com> đã viết:\n\n{> }\n',
  ],
  'Gmail, Hindi': [
    'नीला, धन्यवाद।',
    '{own}\n\nमंगल, 3 नव॰ 2026 को 9:00 am बजे को Acme Support <support@desk.example.com> ने\nलिखा:\n\n{> }\n',
  ],
  'Gmail, Greek, with a signature below': [
    'Το μπλε, ευχαριστώ.',
    '{own}\n\nΣτις Τρί 3 Νοε 2026 στις 9:00 π.μ., ο χρήστης Acme Support <\nsupport@desk.example.com> έγραψε:\n\n{> }\n\n-- \nΆννα Μπέργκερ\n+30 210 000000\n',
  ],
  'Outlook for Windows, French': [
    'Bleu, merci.',
    "{own}\n\nCordialement,\nAnne\n\n-----Message d'origine-----\nDe : Acme Support <support@desk.example.com> \nEnvoyé : mardi 3 novembre 2026 09:00\nÀ : Ann Berger <ann.berger@example.com>\nObjet : Re: Lamp 4711 arrived broken\n\n{}\n",
  ],
  'Outlook for iOS, Swedish': [
    'Blå, tack.',
    '{own}\n\nSkaffa Outlook för iOS<https://aka.ms/o0ukef>\n________________________________\nFrån: Acme Support <support@desk.example.com>\nSkickat: Tuesday, November 3, 2026 9:00:00 AM\nTill: Ann Berger <ann.berger@example.com>\nÄmne: Re: Lamp 4711 arrived broken\n\n[EXTERN AVSÄNDARE] Klicka inte på länkar.\n\n{}\n',
  ],
  'Apple Mail, English': [
    'Blue, please.',
    '{own}\n\n> On 3 Nov 2026, at 09:00, Acme Support <support@desk.example.com> wrote:\n> \n{> }\n',
  ],
  'Thunderbird, Italian, name only': [
    'Blu, grazie.',
    '{own}\n\nIl 03/11/26 09:00, Acme Support ha scritto:\n{> }\n',
  ],
  'Thunderbird, reply below the quote': [
    'Blue it is.',
    'Am 03.11.26 um 09:00 schrieb Acme Support:\n{> }\n\n{own}\n',
  ],
  'Yahoo, Portuguese, without quote marks': [
    'Azul, obrigada.',
    '{own}\n    Em terça-feira, 3 de novembro de 2026 às 09:00:00 BRT, Acme Support <support@desk.example.com> escreveu:  \n \n {}\n',
  ],
  'web.de, German': [
    'Blau bitte.',
    '{own}\n\nGesendet: Dienstag, 03. November 2026 um 09:00 Uhr\nVon: "Acme Support" <support@desk.example.com>\nAn: ann.berger@example.com\nBetreff: Re: Lamp 4711 arrived broken\n{}\n',
  ],
  'Proton, English': [
    'Blue, please.',
    '{own}\n\nSent with Proton Mail secure email.\n\nOn Tuesday, November 3rd, 2026 at 9:00 AM, Acme Support <support@desk.example.com> wrote:\n\n{> }\n',
  ],
  'K-9, Polish': [
    'Niebieska.',
    '{own}\n\nDnia 3 listopada 2026 09:00:00 CET, Acme Support <support@desk.example.com> napisał/a:\n{>}\n\n-- \nWysłane z K-9 Mail.\n',
  ],
  'Zoho, English': [
    'Blue.',
    '{own}\n\n\n\n---- On Tue, 03 Nov 2026 09:00:00 +0100 Acme Support <support@desk.example.com> wrote ---\n\n{ > }\n',
  ],
  'Lotus Notes, German, header block': [
    'Blau bitte.',
    '{own}\n\nMit freundlichen Grüßen\nAnn Berger\n\n\n\nVon:    Acme Support <support@desk.example.com>\nAn:     Ann Berger <ann.berger@example.com>\nDatum:  03.11.2026 09:00\nBetreff:        Re: Lamp 4711 arrived broken\n\n\n\n{}\n',
  ],
  'Lotus Notes, English': [
    'Blue.',
    '{own}\n\nAcme Support <support@desk.example.com> wrote on 03.11.2026 09:00:00:\n\n{> }\n',
  ],
  'mutt, Finnish': ['Sininen.', '{own}\n\nti 03. marrask. 2026 klo 9.00 Acme Support kirjoitti:\n{> }\n'],
  'mutt, English, author only': ['Blue.', '{own}\n\n* Acme Support wrote:\n{> }\n'],
  'Roundcube, Czech': ['Modrou.', '{own}\n\nDne 2026-11-03 09:00, Acme Support napsal(a):\n{> }\n'],
  'Horde, German': ['Blau.', '{own}\n\n\nZitat von Acme Support <support@desk.example.com>:\n\n{> }\n\n\n\n'],
  'Samsung, Hungarian': [
    'Kéket.',
    '{own}\n\nSamsung Galaxy készülékről küldve\n\n-------- Eredeti üzenet --------\nFeladó: Acme Support <support@desk.example.com> \nDátum: 2026. 11. 03.  9:00  (GMT+01:00) \nCímzett: ann.berger@example.com \nTárgy: Re: Lamp 4711 arrived broken \n\n{}\n',
  ],
  'QQ, Chinese': [
    '蓝色的。',
    '{own}\n\n\n------------------&nbsp;原始邮件&nbsp;------------------\n发件人: "Acme Support"<support@desk.example.com>;\n发送时间: 2026年11月3日(星期二) 下午4:00\n收件人: "Ann"<ann.berger@example.com>;\n主题: Re: Lamp 4711 arrived broken\n\n{}\n',
  ],
  '163, Chinese': [
    '蓝色的。',
    '{own}\n\n\n\n\n\n\n\n在 2026-11-03 16:00:00，"Acme Support" <support@desk.example.com> 写道：\n{>}\n',
  ],
  'Naver, Korean': [
    '파란색이요.',
    '{own}\n\n-----Original Message-----\nFrom: "Acme Support"<support@desk.example.com> \nTo: "Ann Berger"<ann.berger@example.com>; \nCc: \nSent: 2026-11-03 (화) 17:00:00 (GMT+09:00)\nSubject: Re: Lamp 4711 arrived broken\n\n{}\n',
  ],
  'a mail program that quotes nested quotes': [
    'Blue.',
    '{own}\n\nOn 3 Nov 2026 at 09:00, Acme Support <support@desk.example.com> wrote:\n{> }\n>\n> On 2 Nov 2026 at 09:00, Ann Berger wrote:\n>> Hello,\n>>\n>> an older line that the ticket does not have\n>> and another one of those\n>> and one more\n>> and a last one\n',
  ],
}

export interface Answer {
  program: string
  own: string
  text: string
}

/** The replies to an email with this text. */
export const listAnswersInText = (quoted: string): Answer[] =>
  Object.entries(texts).map(([program, [own, mail]]) => ({
    program,
    own,
    text: mail.replace('{own}', own).replace(/\{([ >]*)\}/, (_, mark: string) => quote(quoted, mark)),
  }))

export const answersInText = listAnswersInText(ours.text)
