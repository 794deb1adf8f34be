import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import { InlineField } from '../core/inline-field.tsx'
import classes from '../core/kept-field.module.css'
import type { Field } from './queries.ts'

type Value = string | number | boolean | null
type Values = Record<string, unknown>

/** The component that shows a text, a number or a date. */
type TextField = typeof InlineField

interface Props {
  Text?: TextField
  /** Whether the other fields around have ordinary labels. */
  isForm?: boolean
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
export function FieldInputs({ fields, values, onSave, Text = InlineField, isForm }: Props) {
  return (
    <Stack gap={8}>
      {[...fields, ...undescribed(fields, values)].map(field => (
        <FieldInput
          key={field.id}
          field={field}
          value={values[field.key]}
          onSave={onSave}
          Text={Text}
          isForm={isForm}
        />
      ))}
    </Stack>
  )
}

interface FieldProps extends Pick<Props, 'onSave' | 'isForm'> {
  field: Field
  value: unknown
  Text: TextField
}

function FieldInput({ field, value, onSave, Text, isForm }: FieldProps) {
  const { key, label, type } = field
  if (type === 'checkbox')
    return (
      <Checkbox
        size="xs"
        py={4}
        label={label}
        checked={value === true}
        onChange={event => onSave({ [key]: event.currentTarget.checked })}
      />
    )
  if (type === 'select')
    return (
      <NativeSelect
        size="sm"
        className={isForm ? undefined : classes.field}
        label={label}
        value={print(value)}
        data={['', ...field.options]}
        onChange={event => onSave({ [key]: event.currentTarget.value || null })}
      />
    )
  const parse = (words: string): Value => (words === '' ? null : type === 'number' ? Number(words) : words)
  return (
    <Text
      label={label}
      type={type}
      value={print(value)}
      isForm={isForm}
      onSave={words => onSave({ [key]: parse(words) })}
    />
  )
}
