import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ours } from '../../test/mail/quoting-texts.ts'
import { type Earlier, foldQuotes } from './quotes.ts'

/** Emails that are shown whole. */

const earlier: Earlier = {
  texts: [ours.text, 'The green lamp is broken.\n\nAnn'],
  addresses: ['support@desk.example.com', 'ann.berger@example.com'],
  names: ['Acme Support', 'Omar Haddad', 'Ann Berger'],
  dates: ['2026-11-03T08:00:00.000000Z'],
}
const wrote = 'On 3 Nov 2026 at 09:00, Acme Support <support@desk.example.com> wrote:'
const block =
  'From: Acme Support <support@desk.example.com>\nSent: Tuesday, 3 November 2026 09:00\nTo: Ann Berger\nSubject: Re: Lamp\n'

const texts: Record<string, string> = {
  'replies between quoted lines': `Hi,\n\n${wrote}\n> Which colour do you want?\nBlue.\n> And where shall it go?\nTo the office.\n`,
  'replies between quoted lines, without a greeting': `${wrote}\n> Which colour do you want?\n\nBlue.\n\n> And where shall it go?\n\nTo the office.\n`,
  'replies between lines that are quoted without marks': `See below.\n\n${block}\nHello Ann,\n\nWhich colour do you want?\nBlue, please.\nAnd where shall it go?\nTo the office.\n\nThank you\nOmar`,
  'replies on the lines of a quote without marks': `See below.\n\n${block}\nWhich colour do you want? Blue, please.\nAnd where shall it go? To the office.\n\nThank you\nOmar`,
  'a reply below a quote and text above it': `Dear Omar,\n\n${wrote}\n> Which colour do you want?\n\nBlue, please.\n`,
  'a reply below a quote without marks and text above it': `Hello,\n\n${block}\nWhich colour do you want?\nAnd where shall it go?\n\nBlue, and to the office.\n`,
  'new text inside a quote': `See below.\n\n${wrote}\n> Which colour do you want?\n> Make it blue, please.\n> And bring a second one.\n`,
  'only a quote': `${wrote}\n> Which colour do you want?\n> And where shall it go?\n`,
  'only a quote without marks': `${block}\n${ours.text}`,
  'a sentence that looks like an attribution':
    'On Tuesday your colleague Acme Support wrote:\n"it works". It does not.\n\nPlease help.',
  'a sentence with our address and a list':
    'I asked support@desk.example.com:\n\n- Where is it?\n- Who has it?\n',
  'an unrelated block of headers':
    'From: station A\nTo: station B\nSubject: train 5\n\nThat is what the display shows.\n\n---\n\nApplicant: Ann\n\n---\n\nPlease help.',
  'an email from a third party':
    'This came today:\n\nFrom: Paul Other <paul@example.net>\nSent: Tuesday, 3 November 2026 09:00\nTo: ann.berger@example.org\nSubject: Offer\n\nWe sell lamps.\n',
  'a quote of something else': 'The log says:\n\n> error 5 in line 3\n> cannot open the lamp\n> giving up\n',
  'a signature and a disclaimer':
    'Please call me.\n\n-- \nAnn Berger\nTel. +49 30 000000\n________________________________\nThis mail is confidential.\n',
  'one of our sentences within new text':
    'You say:\nWhich colour do you want?\nI do not know which ones there are.\n',
  'lines of dashes around new text':
    'Two matters.\n\n---------- First ----------\nThe lamp.\n---------- Second ----------\nThe invoice.\n',
}

for (const [what, text] of Object.entries(texts)) {
  test(`shows a text whole if it has ${what}`, () => {
    const folded = foldQuotes({ text, html: null }, earlier)
    assert.deepEqual([folded.visibleText, folded.quotedText], [text, ''])
  })
}

const gmail = `<div class="gmail_attr">${wrote.replace(/<.*>/, '')}<br></div>`
const head =
  '<div id="divRplyFwdMsg"><b>From:</b> Acme Support<br><b>Sent:</b> Tuesday, 3 November 2026 09:00<br><b>To:</b> Ann<br><b>Subject:</b> Re: Lamp</div>'

const html: Record<string, string> = {
  'replies between Gmail quotes': `<div>Hi,</div><div class="gmail_quote">${gmail}<blockquote class="gmail_quote"><p>Which colour do you want?</p></blockquote><div>Blue.</div><blockquote class="gmail_quote"><p>And where shall it go?</p></blockquote><div>To the office.</div></div>`,
  'replies between Apple Mail quotes': `<div>Hi,</div><div><br><blockquote type="cite"><div>${wrote.replace(/<.*>/, '')}</div><div>Which colour do you want?</div></blockquote><div>Blue.</div><blockquote type="cite"><div>And where shall it go?</div></blockquote></div>`,
  'replies in another colour inside an Outlook quote': `<p>See below in red.</p>${head}<p>Which colour do you want?</p><p><span>Blue, please.</span></p><p>And where shall it go?</p><p><span>To the office.</span></p>`,
  'an image between Gmail quotes': `<div class="gmail_quote">${gmail}<blockquote class="gmail_quote"><p>Which colour do you want?</p></blockquote><div>This one: <img src="x"></div><blockquote class="gmail_quote"><p>And where shall it go?</p></blockquote></div>`,
  'a block quote used for design':
    '<p>We wrote this on our page:</p><blockquote><p>The best lamps of the town since 1890.</p></blockquote>',
  'everything in an indented block':
    '<blockquote style="margin:0 0 0 40px"><p>I want a blue lamp.</p></blockquote>',
  'an email from a third party, forwarded by Gmail': `<div>Look at this.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Paul Other &lt;paul@example.net&gt;<br>Date: Tue, Nov 3, 2026 at 9:00 AM<br>Subject: Offer<br>To: &lt;ann.berger@example.org&gt;<br></div><p>We sell lamps.</p></div>`,
  'only a quote': `<div class="gmail_quote">${gmail}<blockquote class="gmail_quote"><p>Which colour do you want?</p></blockquote></div>`,
  'a table': '<table><tr><td>Lamp</td><td></td><td>4711</td></tr></table>',
}

for (const [what, mail] of Object.entries(html)) {
  test(`shows HTML whole if it has ${what}`, () => {
    const folded = foldQuotes({ text: '', html: mail }, earlier)
    assert.deepEqual([folded.visibleHtml, folded.quotedHtml], [mail, null])
  })
}

test('checks a quote of 200,000 lines in less than two seconds', () => {
  const text = `Blue.\n\n${wrote}\n${'> Which colour do you want for the lamp of the house?\n'.repeat(200_000)}`
  const from = process.cpuUsage()
  const { visibleText, quotedText } = foldQuotes({ text, html: null }, earlier)
  assert.ok(process.cpuUsage(from).user < 2_000_000)
  assert.ok(visibleText.length + quotedText.length > text.length - 10)
})

test('checks a line of 10 MB in less than two seconds', () => {
  const from = process.cpuUsage()
  foldQuotes({ text: `${'lamp: '.repeat(1_700_000)}\n\n> x`, html: null }, earlier)
  assert.ok(process.cpuUsage(from).user < 2_000_000)
})
