import { removeNoticeTokens } from '../../../mail/tokens.ts'
import type { ChannelFields } from '../../../messages/messages.ts'
import type { Judged } from './judge-mail.ts'
import { describeMail, listCuts } from './mail-content.ts'
import type { MailToPost } from './post-mail.ts'

const warningsOf = ({ forwarded, isVerified, choice }: Judged): string[] =>
  forwarded && !isVerified ? [...choice.warnings, 'operator_unverified'] : choice.warnings

/** The message's fields that come from the email. */
export const messageFieldsOf = (post: MailToPost, reason: string) => {
  const { mail, files, judged, facts, folded, content, media, isPartial } = post
  return {
    channel: 'email',
    content_html: content.html,
    email: describeMail(
      mail,
      {
        class: judged.class,
        reason,
        evidence:
          judged.choice.evidence && `${judged.choice.evidence.reason}: ${judged.choice.evidence.value}`,
        related: judged.choice.related,
        warnings: warningsOf(judged),
        authentication: judged.authentication,
        isSpam: judged.isSpam,
        answerTo: judged.forwarded ? [judged.forwarded.sender] : judged.writer.answerTo,
      },
      {
        mailboxId: facts.mailbox.id,
        inline: content.html === null ? [] : media.filter((_, at) => files[at]?.isInline),
        isFolded: folded.quotedText !== '',
        cuts: listCuts(content, folded, isPartial),
      },
    ),
  }
}

/** A reply to a notice may belong to a ticket of any channel. Its secret reply address is removed, so that nobody else sees it. */
export function replyFieldsOf(post: MailToPost, reason: string): ChannelFields {
  const fields = messageFieldsOf(post, reason)
  if (!post.judged.answered) return fields
  const { email } = fields
  const [to, cc] = [email.to.map(removeNoticeTokens), email.cc.map(removeNoticeTokens)]
  return { ...fields, channel: null, email: { ...email, to, cc } }
}
