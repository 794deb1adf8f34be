import { Button, type ButtonProps, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRemoteImages, placeRemoteImages } from '../../../src/mail/remote-images.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { text } from '../core/text.ts'
import classes from './email.module.css'
import { EmailFrame } from './email-frame.tsx'
import { type Email, emailQuery, imageSendersQuery, messageUrl, rememberImages } from './email-queries.ts'
import { addressOf } from './media.tsx'
import type { Message } from './queries.ts'

interface Props {
  message: Message
  email: Email
}

/** Inline images have addresses of the public API. */
const placeFiles = (html: string, projectId: string): string =>
  html.replaceAll(/(<img\b[^<>]*? src=")\/api\/v1\/media\/([\w-]+)"/g, (_, before, id) => {
    return `${before}${addressOf(projectId, id, '?inline=true')}"`
  })

/** The text of an email, its remote images on request, and the text that it quotes. */
export default function EmailBody({ message, email }: Props) {
  const images = useImages({ message, email })
  const [isQuoteShown, setQuoteShown] = useState(false)
  const { data: details } = useQuery({ ...emailQuery(message), enabled: isQuoteShown })
  const quote = isQuoteShown && details ? quoteOf(details) : ''
  const count = listRemoteImages(message.content_html).length
  const title = text.email.frame(email.from_name ?? email.from ?? text.inbox.noName)
  const place = (html: string, first: number) => {
    const placed = placeFiles(html, message.workspace_id)
    if (!images.isLoaded) return placed
    return placeRemoteImages(placed, index => messageUrl(message, `remote-images/${first + index}`))
  }
  return (
    <>
      {count + listRemoteImages(quote).length > 0 && <ImagesLine {...images} />}
      {message.content_html && <EmailFrame html={place(message.content_html, 0)} title={title} />}
      {email.has_quote && (
        <TextButton aria-expanded={isQuoteShown} onClick={() => setQuoteShown(isShown => !isShown)}>
          {isQuoteShown ? text.email.hideQuote : text.email.showQuote}
        </TextButton>
      )}
      {quote && <EmailFrame html={place(quote, count)} title={text.email.showQuote} />}
    </>
  )
}

/** The quote as HTML. Plain text needs none of the characters that would begin an element. */
function quoteOf({ quoted_html, quoted_text }: { quoted_html: string | null; quoted_text: string }): string {
  if (quoted_html) return quoted_html
  const pre = document.createElement('pre')
  pre.textContent = quoted_text
  return pre.outerHTML
}

/** Wraps, because addresses may be long. */
const TextButton = (props: ButtonProps & React.ComponentProps<'button'>) => (
  <Button
    size="compact-xs"
    variant="transparent"
    px={0}
    classNames={{ root: classes.text, label: classes.label }}
    {...props}
  />
)

interface Images {
  isLoaded: boolean
  /** The sender whose images can be loaded always; null if nobody knows who sent the email. */
  sender: string | null
  load(): void
  remember(isOn: boolean): void
}

function useImages({ message, email }: Props): Images {
  const [isWanted, setWanted] = useState(false)
  const projectId = message.workspace_id
  const { data: senders = [] } = useQuery(imageSendersQuery(projectId))
  const sender = email.authentication.dmarc === 'fail' ? null : email.from
  const isRemembered = sender !== null && senders.includes(sender.toLowerCase())
  return {
    isLoaded: isWanted || isRemembered,
    sender,
    load: () => setWanted(true),
    remember: isOn => {
      setWanted(isOn)
      rememberImages(projectId, sender!, isOn).catch(error => showFailure(asFailure(error)))
    },
  }
}

function ImagesLine({ isLoaded, sender, load, remember }: Images) {
  if (isLoaded)
    return sender ? (
      <Group className={classes.images} gap="0 0.75rem">
        <TextButton onClick={() => remember(false)}>{text.email.imagesStop}</TextButton>
      </Group>
    ) : null
  return (
    <Group className={classes.images} gap="0 0.75rem">
      <Text span size="xs" c="dimmed">
        {text.email.imagesBlocked}
      </Text>
      <TextButton onClick={load}>{text.email.imagesLoad}</TextButton>
      {sender && <TextButton onClick={() => remember(true)}>{text.email.imagesAlways(sender)}</TextButton>}
    </Group>
  )
}
