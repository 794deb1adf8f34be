import { Alert, Button, Group, Stack } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { asFailure, type Failure } from './failure.ts'
import { FailureWords } from './failure-words.tsx'

type Values = Record<string, unknown>

export interface Sending<V extends Values, Answer> {
  form: UseFormReturnType<V>
  /** What a whole form has done wrong; what one field has stands beside it. */
  failure: Failure | null
  isSending: boolean
  submit(event?: FormEvent<HTMLFormElement>): void
  /** What went wrong last is settled. */
  forget(): void
  ref: React.RefObject<HTMLFormElement | null>
  answer: Answer | undefined
}

interface Options<V extends Values, Answer> extends Pick<UseFormInput<V>, 'initialValues' | 'validate'> {
  send(values: V): Promise<Answer>
  onDone?(answer: Answer, form: UseFormReturnType<V>): unknown
}

/** A form whose sending may fail: each field says what is wrong with it, and what was typed stays. */
export function useSending<V extends Values, Answer = unknown>(
  options: Options<V, Answer>,
): Sending<V, Answer> {
  const { initialValues, validate, send, onDone } = options
  const ref = useRef<HTMLFormElement>(null)
  const form = useForm<V>({ mode: 'controlled', initialValues, validate, validateInputOnBlur: false })
  const showInvalid = () => requestAnimationFrame(() => focusInvalid(ref.current))
  const mutation = useMutation({
    mutationFn: send,
    meta: { isForm: true },
    onSuccess: (answer, sent) => {
      // What was typed since is not saved.
      form.resetDirty(sent)
      onDone?.(answer, form)
    },
    onError: thrown => {
      form.setErrors(asFailure(thrown).fields)
      showInvalid()
    },
  })
  const failure = mutation.error ? asFailure(mutation.error) : null
  const begin = form.onSubmit(values => mutation.mutate(values), showInvalid)
  return {
    form,
    ref,
    failure: failure && hasOnlyKnown(failure, form.getValues()) ? null : failure,
    isSending: mutation.isPending,
    answer: mutation.data,
    forget: mutation.reset,
    submit: event => (!mutation.isPending ? begin(event) : event?.preventDefault()),
  }
}

const hasOnlyKnown = ({ fields }: Failure, values: Values): boolean => {
  const names = Object.keys(fields)
  return names.length > 0 && names.every(name => name.split('.')[0]! in values)
}

const focusInvalid = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()

interface FormProps<V extends Values> {
  sending: Sending<V, unknown>
  /** On the button. */
  action: string
  children: ReactNode
  /** Beside the button. */
  aside?: ReactNode
  isWide?: boolean
}

export function Form<V extends Values>({ sending, action, children, aside, isWide }: FormProps<V>) {
  return (
    <form ref={sending.ref} onSubmit={sending.submit} noValidate>
      <Stack gap="md">
        {sending.failure && (
          <Alert color="red" role="alert">
            <FailureWords failure={sending.failure} />
          </Alert>
        )}
        {children}
        <Group gap="sm" justify={isWide ? 'stretch' : 'flex-start'}>
          <Button type="submit" loading={sending.isSending} fullWidth={isWide}>
            {action}
          </Button>
          {aside}
        </Group>
      </Stack>
    </form>
  )
}
