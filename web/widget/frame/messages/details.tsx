import { useRef, useState } from 'preact/hooks'
import type { Config } from '../core/records.ts'
import { text } from '../core/text.ts'
import { config } from '../session/config.ts'
import { visitor } from '../session/session.ts'
import { details } from './drafts.ts'

/** The form before the first message. */

type Field = Config['prechat_fields'][number]

const kinds = { text: 'text', email: 'email', phone: 'tel', multiline: 'text' } as const
const fills: Record<string, string> = { name: 'name', email: 'email', phone: 'tel' }

function sayProblem({ is_required, type }: Field, value: string): string | null {
  if (!value.trim()) return is_required ? text.value.fillIn : null
  return type === 'email' && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value.trim())
    ? text.value.badEmail
    : null
}

interface InputProps {
  field: Field
  value: string
  problem: string | null
  change: (value: string) => void
}

function Input({ field, value, problem, change }: InputProps) {
  const id = `field-${field.key}`
  const own = {
    id,
    value,
    required: field.is_required,
    maxLength: 2_000,
    'aria-invalid': problem !== null,
    'aria-describedby': problem ? `${id}-problem` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>
        <bdi>{field.label}</bdi>
        {!field.is_required && <span class="faint">{` (${text.value.optional})`}</span>}
      </label>
      {field.type === 'multiline' ? (
        <textarea {...own} rows={3} />
      ) : (
        <input
          {...own}
          list={undefined}
          type={kinds[field.type]}
          autoComplete={(fills[field.key] ?? 'off') as 'off'}
        />
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

const ofContact = ['name', 'email', 'phone']

/** Fields that the server already knows are not asked for again. */
function listAsked(): Field[] {
  const fields = config.value?.prechat_fields ?? []
  if (visitor.value?.is_identified) return []
  return visitor.value?.is_known ? fields.filter(({ key }) => !ofContact.includes(key)) : fields
}

export const needsDetails = (): boolean => !details.value && listAsked().length > 0

export function Details() {
  const fields = listAsked()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Record<string, string>>({})
  const [isTried, setTried] = useState(false)
  const problemOf = (field: Field) => sayProblem(field, values[field.key] ?? '')
  const begin = (event: Event) => {
    event.preventDefault()
    setTried(true)
    const wrong = fields.find(problemOf)
    if (wrong) return void form.current!.querySelector<HTMLElement>(`#field-${wrong.key}`)?.focus()
    const filled = Object.entries(values).map(([key, value]) => [key, value.trim()] as const)
    details.value = Object.fromEntries(filled.filter(([, value]) => value))
  }
  return (
    <form class="details" ref={form} noValidate onSubmit={begin}>
      <h2 dir="auto">{config.value!.texts.prechat || text.value.details}</h2>
      {fields.map(field => (
        <Input
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          problem={isTried ? problemOf(field) : null}
          change={value => setValues({ ...values, [field.key]: value })}
        />
      ))}
      <button type="submit" class="main">
        {text.value.begin}
      </button>
    </form>
  )
}
