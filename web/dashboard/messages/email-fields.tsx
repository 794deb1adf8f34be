import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { focusInvalid } from '../core/form.tsx'
import { text } from '../core/text.ts'
import type { EmailValues } from './draft.ts'
import type { EmailErrors } from './email-errors.ts'
import classes from './email-fields.module.css'
import { RecipientField } from './recipient-field.tsx'
import {
  type KnownAddress,
  knownAddressesQuery,
  type SenderChoice,
  senderChoicesQuery,
} from './recipient-queries.ts'
import type { Addressee } from './recipient-suggestions.ts'

type Kind = 'to' | 'cc' | 'bcc'

const kinds: Kind[] = ['to', 'cc', 'bcc']

/** The server's limit. */
const maxSubjectLength = 255

const printList = (words: string[]): string =>
  new Intl.ListFormat(document.documentElement.lang).format(words)

/** The names of the recipients, and whether email can be sent to them. */
export function useKnownAddresses(
  projectId: string,
  { to, cc, bcc }: EmailValues,
): Map<string, KnownAddress> {
  const { data = [] } = useQuery(knownAddressesQuery(projectId, [...to, ...cc, ...bcc]))
  return new Map(data.map(one => [one.address, one]))
}

interface Props {
  projectId: string
  values: EmailValues
  onChange(change: Partial<EmailValues>): void
  errors: EmailErrors | undefined
  people: Addressee[]
  /** The subject that an empty one becomes. */
  subjectHint?: string
  /** Whether the first field gets the focus. */
  isFocused?: boolean
  /** Further buttons. */
  children?: ReactNode
}

/** The mailbox, the recipients and the subject of an email. */
export function EmailFields(props: Props) {
  const { projectId, values, onChange, errors, people, subjectHint, isFocused, children } = props
  const [added, setAdded] = useState<Kind | null>(null)
  const [isShown, setShown] = useState({ cc: values.cc.length > 0, bcc: values.bcc.length > 0 })
  const known = useKnownAddresses(projectId, values)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (errors) focusInvalid(box.current)
  }, [errors])
  const shows = (kind: Kind) => kind === 'to' || isShown[kind] || values[kind].length > 0
  const ownError = (kind: Kind) => {
    const own = values[kind].filter(address => known.get(address)?.is_own)
    return own.length > 0 ? text.emailFields.own(printList(own)) : undefined
  }
  const add = (kind: 'cc' | 'bcc') => {
    setShown({ ...isShown, [kind]: true })
    setAdded(kind)
  }
  return (
    <div ref={box} className={classes.fields}>
      <SenderField projectId={projectId} values={values} onChange={onChange} error={errors?.mailbox_id} />
      {kinds.filter(shows).map(kind => (
        <RecipientField
          key={kind}
          projectId={projectId}
          label={text.email[kind]}
          value={values[kind]}
          onChange={addresses => onChange({ [kind]: addresses })}
          error={ownError(kind) ?? errors?.[kind]}
          known={known}
          people={people.filter(({ address }) => kinds.every(one => !values[one].includes(address)))}
          isFocused={kind === added || (kind === 'to' && isFocused && added === null)}
        />
      ))}
      <TextInput
        label={text.email.subject}
        classNames={{ root: classes.row, error: classes.error, label: classes.label }}
        dir="auto"
        maxLength={maxSubjectLength}
        placeholder={subjectHint}
        value={values.subject}
        onChange={event => onChange({ subject: event.currentTarget.value })}
        error={errors?.subject}
      />
      <Undeliverable known={known} />
      <Group gap={4} className={classes.buttons}>
        {!shows('cc') && <More name={text.emailFields.addCc} onClick={() => add('cc')} />}
        {!shows('bcc') && <More name={text.emailFields.addBcc} onClick={() => add('bcc')} />}
        {children}
      </Group>
    </div>
  )
}

export const More = ({ name, onClick }: { name: string; onClick(): void }) => (
  <Button size="compact-sm" variant="subtle" onClick={onClick}>
    {name}
  </Button>
)

/** A warning about addresses whose emails bounced. */
export function Undeliverable({ known }: { known: Map<string, KnownAddress> }) {
  const returned = [...known.values()].filter(one => one.is_undeliverable).map(({ address }) => address)
  return (
    <Text role="status" size="xs" className={classes.warning}>
      {returned.length > 0 && text.emailFields.undeliverable(printList(returned))}
    </Text>
  )
}

const labelOf = ({ address, name, can_send }: SenderChoice): string => {
  const shown = name ? `${name} <${address}>` : address
  return can_send ? shown : text.emailFields.receivesOnly(shown)
}

type SenderProps = Pick<Props, 'projectId' | 'values' | 'onChange'> & { error: string | undefined }

/** The sending mailbox: a choice if several mailboxes can send. */
function SenderField({ projectId, values: { mailbox_id }, onChange, error }: SenderProps) {
  const { data } = useQuery(senderChoicesQuery(projectId))
  const choices = data?.filter(({ id, can_send }) => can_send || id === mailbox_id) ?? []
  if (data && choices.length === 0) return <Text size="sm">{text.emailFields.noMailbox}</Text>
  return (
    <NativeSelect
      label={text.email.from}
      classNames={{ root: classes.row, error: classes.error, label: classes.label }}
      value={mailbox_id ?? ''}
      data={[
        ...(mailbox_id === null ? [{ value: '', label: '' }] : []),
        ...choices.map(one => ({ value: one.id, label: labelOf(one) })),
      ]}
      disabled={choices.length === 1 && choices[0]!.id === mailbox_id}
      onChange={event => onChange({ mailbox_id: event.currentTarget.value || null })}
      error={error}
    />
  )
}
