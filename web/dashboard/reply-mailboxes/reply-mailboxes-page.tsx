import { Anchor, NumberInput, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { Go } from '../core/go.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { type Mailbox, mailboxesQuery } from '../mailboxes/queries.ts'
import { useProject } from '../projects/project.ts'
import { changeReplyMailboxes, type ReplyMailboxes, replyMailboxesQuery } from './queries.ts'

/** The mailboxes that send replies in tickets of the website chat and the API. */
export default function ReplyMailboxesPage() {
  const { id } = useProject()
  const { data: settings } = useQuery(replyMailboxesQuery(id))
  const { data: mailboxes } = useQuery(mailboxesQuery(id))
  const { title, about } = pageText.replyMailboxes
  return (
    <Page title={title} about={about}>
      {settings && mailboxes ? <ReplyForm settings={settings} mailboxes={mailboxes} /> : <Loading />}
    </Page>
  )
}

interface Props {
  settings: ReplyMailboxes
  mailboxes: Mailbox[]
}

/** An empty field means that replies are not sent by email. */
const valuesOf = ({ widget_mailbox_id, widget_after_minutes, api_mailbox_id }: ReplyMailboxes) => ({
  widget_mailbox_id: widget_mailbox_id ?? '',
  widget_after_minutes: widget_after_minutes as number | string,
  api_mailbox_id: api_mailbox_id ?? '',
})
type Values = ReturnType<typeof valuesOf>

const bodyOf = ({ widget_mailbox_id, widget_after_minutes, api_mailbox_id }: Values): ReplyMailboxes => ({
  widget_mailbox_id: widget_mailbox_id || null,
  widget_after_minutes: Number(widget_after_minutes),
  api_mailbox_id: api_mailbox_id || null,
})

function useReplyForm({ settings }: Props) {
  const { id } = useProject()
  const client = useQueryClient()
  return useSending<Values, ReplyMailboxes>({
    initialValues: valuesOf(settings),
    send: values => changeReplyMailboxes(id, bodyOf(values)),
    onDone: saved => {
      void showSaved(client, replyMailboxesQuery(id).queryKey, saved)
      showNotice(text.shell.saved)
    },
  })
}

function ReplyForm(props: Props) {
  const sending = useReplyForm(props)
  const { form } = sending
  const words = pageText.replyMailboxes
  const senders = props.mailboxes.filter(mailbox => mailbox.sending !== 'none')
  const choices = [
    { value: '', label: words.off },
    ...senders.map(({ id, address }) => ({ value: id, label: address })),
  ]
  const choose = (field: 'widget_mailbox_id' | 'api_mailbox_id') => (
    <Select
      label={words.from}
      allowDeselect={false}
      maw={420}
      data={choices}
      {...form.getInputProps(field)}
    />
  )
  return (
    <Form sending={sending} action={text.shell.save}>
      {senders.length === 0 && <NoSender />}
      <Section title={words.chat} about={words.chatAbout}>
        {choose('widget_mailbox_id')}
        {form.getValues().widget_mailbox_id !== '' && (
          <>
            <NumberInput
              label={words.after}
              description={words.afterAbout}
              min={1}
              max={1440}
              allowDecimal={false}
              mt="md"
              maw={420}
              {...form.getInputProps('widget_after_minutes')}
            />
            <Text size="sm" c="dimmed" mt="md">
              {words.noEvent}
            </Text>
          </>
        )}
      </Section>
      <Section title={words.api} about={words.apiAbout}>
        {choose('api_mailbox_id')}
      </Section>
    </Form>
  )
}

function NoSender() {
  const { id } = useProject()
  const { noneSends, openMailboxes } = pageText.replyMailboxes
  return (
    <Text>
      {noneSends}{' '}
      <Anchor
        underline="always"
        href={`/p/${id}/settings/mailboxes`}
        renderRoot={({ href, ...props }) => <Go {...props} to={href} />}
      >
        {openMailboxes}
      </Anchor>
    </Text>
  )
}
