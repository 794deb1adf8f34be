import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import { InlineField } from '../core/inline-field.tsx'
import type { Field } from './queries.ts'

type Value = string | number | boolean | null
type Values = Record<string, unknown>

interface Props {
  fields: Field[]
  values: Values
  onSave(change: Record<string, Value>): Promise<boolean>
}

const print = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** A value without a defined field is shown as text. */
const undescribed = (fields: Field[], values: Values): Field[] =>
  Object.keys(values)
    .filter(key => !fields.some(field => field.key === key))
    .map(key => ({ id: key, key, label: key, type: 'text' }) as Field)

/** The project's custom fields, and other values that integrations have stored. */
export function FieldInputs({ fields, values, onSave }: Props) {
  return (
    <Stack gap={8}>
      {[...fields, ...undescribed(fields, values)].map(field => (
        <FieldInput key={field.id} field={field} value={values[field.key]} onSave={onSave} />
      ))}
    </Stack>
  )
}

function FieldInput({ field, value, onSave }: { field: Field; value: unknown; onSave: Props['onSave'] }) {
  const { key, label, type } = field
  if (type === 'checkbox')
    return (
      <Checkbox
        size="xs"
        label={label}
        checked={value === true}
        onChange={event => onSave({ [key]: event.currentTarget.checked })}
      />
    )
  if (type === 'select')
    return (
      <NativeSelect
        size="sm"
        label={label}
        value={print(value)}
        data={['', ...field.options]}
        onChange={event => onSave({ [key]: event.currentTarget.value || null })}
      />
    )
  const parse = (words: string): Value => (words === '' ? null : type === 'number' ? Number(words) : words)
  return (
    <InlineField
      label={label}
      type={type}
      value={print(value)}
      onSave={words => onSave({ [key]: parse(words) })}
    />
  )
}
