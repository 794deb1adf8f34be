import { ours } from './quoting-texts.ts'

/** HTML replies to one of our emails in the formats of various mail programs. `{}` stands for the quoted email. */

const sender = 'Acme Support &lt;<a href="mailto:support@desk.example.com">support@desk.example.com</a>&gt;'

/** The email as Outlook quotes it, with a class and style on every paragraph. */
const toWord = (html: string): string =>
  html.replaceAll(/<p\b[^<>]*>/g, '<p class="MsoNormal" style="margin-left:0cm">')

const mails: Record<string, [own: string, mail: string]> = {
  'Gmail, French': [
    'Bleu, merci.',
    `<div dir="ltr">{own}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">Le mar. 3 nov. 2026 à 09:00, ${sender} a écrit :<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{}</blockquote></div>`,
  ],
  'Gmail, Thai, with a signature': [
    'สีฟ้าค่ะ',
    `<div dir="ltr"><div>{own}</div><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Ann</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">ในวันที่ อ. 3 พ.ย. 2569 เวลา 09:00 ${sender} เขียนว่า:<br></div><blockquote class="gmail_quote">{}</blockquote></div>`,
  ],
  'Outlook for Windows, English': [
    'Blue, please.',
    `<div class="WordSection1"><p class="MsoNormal"><span lang="EN-US">{own}</span></p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">Kind regards</p><p class="MsoNormal">&nbsp;</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b><span>From:</span></b><span> Acme Support &lt;support@desk.example.com&gt; <br><b>Sent:</b> Tuesday, November 3, 2026 9:00 AM<br><b>To:</b> Ann Berger &lt;ann.berger@example.com&gt;<br><b>Subject:</b> Re: Lamp 4711 arrived broken</span></p></div></div><p class="MsoNormal">&nbsp;</p><div style="border:solid"><p class="MsoNormal"><b>CAUTION:</b> This mail came from outside.</p></div>{word}</div>`,
  ],
  'Outlook on the web, Dutch': [
    'Blauw graag.',
    `<div class="elementToProof">{own}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>Van:</b> Acme Support &lt;support@desk.example.com&gt;<br><b>Verzonden:</b> dinsdag 3 november 2026 09:00<br><b>Aan:</b> Ann Berger &lt;ann.berger@example.com&gt;<br><b>Onderwerp:</b> Re: Lamp 4711 arrived broken</font><div>&nbsp;</div></div><div>{}</div>`,
  ],
  'Outlook for Android, Danish': [
    'Blå, tak.',
    `<div dir="auto">{own}</div><div id="ms-outlook-mobile-signature"><div><br></div>Hent Outlook til Android</div><div id="mail-editor-reference-message-container"><hr><div id="divRplyFwdMsg"><b>Fra:</b> Acme Support &lt;support@desk.example.com&gt;<br><b>Sendt:</b> Tuesday, November 3, 2026 9:00:00 AM<br><b>Til:</b> Ann Berger<br><b>Emne:</b> Re: Lamp 4711 arrived broken</div><br>{}</div>`,
  ],
  'Apple Mail on a phone, Korean': [
    '파란색이요.',
    `{own}<br><br><div dir="ltr">나의 iPhone에서 보냄</div><div dir="ltr"><br><blockquote type="cite">2026. 11. 3. 오후 5:00, Acme Support &lt;support@desk.example.com&gt; 작성:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">{}</div></blockquote>`,
  ],
  'Thunderbird, Norwegian': [
    'Blå, takk.',
    `<p>{own}</p><div class="moz-cite-prefix">Den 03.11.2026 09:00, skrev Acme Support:<br></div><blockquote type="cite" cite="mid:m1@desk.example.com">{}</blockquote>`,
  ],
  'Yahoo, Spanish': [
    'Azul, gracias.',
    `<div class="ydp1yahoo-style-wrap"><div dir="ltr">{own}</div><div><br></div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div style="font-size:13px"><div>    En martes, 3 de noviembre de 2026, 09:00:00 CET, Acme Support &lt;support@desk.example.com&gt; escribió:    </div><div><br></div><div><br></div><div>{}</div></div></div>`,
  ],
  'GMX, German': [
    'Blau bitte.',
    `<div><div>{own}</div><div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px;border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Dienstag, 03. November 2026 um 09:00 Uhr<br><b>Von:</b>&nbsp;"Acme Support" &lt;support@desk.example.com&gt;<br><b>An:</b>&nbsp;ann.berger@example.com<br><b>Betreff:</b>&nbsp;Re: Lamp 4711 arrived broken</div><div name="quoted-content">{}</div></div></div></div>`,
  ],
  'QQ, Chinese': [
    '蓝色的。',
    `<div>{own}</div><div><br></div><div style="font-size: 12px;padding:2px 0">------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size:12px;background:#efefef;padding:8px;"><div><b>发件人:</b>&nbsp;"Acme Support"&lt;support@desk.example.com&gt;;</div><div><b>发送时间:</b>&nbsp;2026年11月3日(星期二) 下午4:00</div><div><b>收件人:</b>&nbsp;"Ann"&lt;ann.berger@example.com&gt;;</div><div><b>主题:</b>&nbsp;Re: Lamp 4711 arrived broken</div></div><div><br></div>{}`,
  ],
  '163, Chinese': [
    '蓝色的。',
    `<div style="line-height:1.7">{own}<br><br><p>在 2026-11-03 16:00:00，"Acme Support" &lt;support@desk.example.com&gt; 写道：</p><blockquote id="isReplyContent" style="PADDING-LEFT: 1ex"><div>{}</div></blockquote></div>`,
  ],
  'Naver, Korean': [
    '파란색이요.',
    `<div><p>{own}</p><p><br></p><div style="border-top:1px solid"><p>-----Original Message-----<br><b>From:</b> "Acme Support"&lt;support@desk.example.com&gt;<br><b>To:</b> "Ann Berger"&lt;ann.berger@example.com&gt;;<br><b>Cc:</b><br><b>Sent:</b> 2026-11-03 (화) 17:00:00 (GMT+09:00)<br><b>Subject:</b> Re: Lamp</p></div><p><br></p>{}</div>`,
  ],
  'Proton, English': [
    'Blue, please.',
    `<div>{own}</div><div><br></div><div class="protonmail_signature_block">Sent with Proton Mail</div><div class="protonmail_quote">On Tuesday, November 3rd, 2026 at 9:00 AM, Acme Support &lt;support@desk.example.com&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">{}</blockquote><br></div>`,
  ],
  'Spark, English': [
    'Blue, please.',
    `<div name="messageBodySection"><div dir="auto">{own}</div></div><div name="messageSignatureSection"><br>Ann</div><div name="messageReplySection">On Nov 3, 2026 at 9:00 AM +0100, Acme Support &lt;support@desk.example.com&gt;, wrote:<br><blockquote type="cite" style="border-left:thin solid">{}</blockquote></div>`,
  ],
  'Zoho, English': [
    'Blue.',
    `<div><div>{own}<br></div><div><br></div><div class="zmail_extra_hr" style="border-top: 1px solid"><br></div><div class="zmail_extra"><div>---- On Tue, 03 Nov 2026 09:00:00 +0100 <b>${sender}</b> wrote ---<br></div><div><br></div><blockquote id="blockquote_zmail"><div>{}</div></blockquote></div></div>`,
  ],
  'Samsung, Romanian': [
    'Albastru.',
    `<div dir="auto">{own}</div><div><br></div><div id="composer_signature">Trimis de pe Galaxy</div><div><br></div><div style="color:#000"><!-- originalMessage --><div>-------- Mesaj original --------</div><div>De la: Acme Support &lt;support@desk.example.com&gt; </div><div>Data: 03.11.2026  09:00  (GMT+02:00) </div><div>Către: ann.berger@example.com </div><div>Subiect: Re: Lamp 4711 arrived broken </div><div><br></div></div>{}`,
  ],
  'Mail.ru, Russian': [
    'Синюю.',
    `<div>{own}</div><div>--<br>Анна</div><blockquote style="border-left:1px solid #0857A6; margin:10px"><div>Вторник, 3 ноября 2026, 9:00 +03:00 от Acme Support &lt;support@desk.example.com&gt;:</div><div>{}</div></blockquote>`,
  ],
  'Yandex, Ukrainian': [
    'Синю.',
    `<div>{own}</div><div> </div><div>03.11.2026, 09:00, "Acme Support" &lt;support@desk.example.com&gt;:</div><blockquote>{}</blockquote>`,
  ],
  'Lotus Notes, Portuguese, header block in a table': [
    'Azul.',
    `<span>{own}</span><br><br><table><tr><td>De: &nbsp;</td><td>Acme Support &lt;support@desk.example.com&gt;</td></tr><tr><td>Para:</td><td>Ann Berger</td></tr><tr><td>Data:</td><td>03/11/2026 09:00</td></tr><tr><td>Assunto:</td><td>Re: Lamp</td></tr></table><hr>{}`,
  ],
  'Gmail, reply below the quote': [
    'Blue it is.',
    `<div class="gmail_quote"><div class="gmail_attr">On Tue, Nov 3, 2026 at 9:00 AM ${sender} wrote:<br></div><blockquote class="gmail_quote">{}</blockquote><div>{own}</div></div>`,
  ],
}

/** The replies to an email with this HTML. */
export const listAnswersInHtml = (quoted: string) =>
  Object.entries(mails).map(([program, [own, mail]]) => ({
    program,
    own,
    html: mail
      .replace('{own}', own)
      .replace('{}', () => quoted)
      .replace('{word}', () => toWord(quoted)),
  }))

export const answersInHtml = listAnswersInHtml(ours.html)
