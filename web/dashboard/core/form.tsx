import { Alert, Button, Group, Stack } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { asFailure, type Failure } from './failure.ts'
import { FailureWords } from './failure-words.tsx'

type Values = Record<string, unknown>

export interface Sending<V extends Values, Answer> {
  form: UseFormReturnType<V>
  /** An error of the whole form. Errors of fields are shown beside them. */
  failure: Failure | null
  isSending: boolean
  submit(event?: FormEvent<HTMLFormElement>): void
  /** Clears the last error. */
  forget(): void
  ref: React.RefObject<HTMLFormElement | null>
  answer: Answer | undefined
}

interface Options<V extends Values, Answer> extends Pick<UseFormInput<V>, 'initialValues' | 'validate'> {
  send(values: V): Promise<Answer>
  /**
   * For forms whose attempts the server counts: rejected values are not sent again until this part of them
   * changes.
   */
  attemptOf?(values: V): string
  onDone?(answer: Answer, form: UseFormReturnType<V>): unknown
}

/** Renders the errors at once, because the next frame moves the focus to the first of them. */
const showErrors = <V extends Values>({ setErrors }: UseFormReturnType<V>, { fields }: Failure): void =>
  flushSync(() => setErrors(fields))

/** A form whose submission may fail: errors are shown beside the fields, and the values stay. */
export function useSending<V extends Values, Answer = unknown>(
  options: Options<V, Answer>,
): Sending<V, Answer> {
  const { initialValues, validate, send, attemptOf, onDone } = options
  const ref = useRef<HTMLFormElement>(null)
  const form = useForm<V>({ mode: 'controlled', initialValues, validate, validateInputOnBlur: false })
  // State from the last render is stale for a second submit that follows immediately.
  const isUnderWay = useRef(false)
  const refused = useRef<string | null>(null)
  const showInvalid = () => requestAnimationFrame(() => focusInvalid(ref.current))
  const mutation = useMutation({
    mutationFn: send,
    meta: { isForm: true },
    onSuccess: (answer, sent) => {
      // Values that were changed since are not saved yet.
      form.resetDirty(sent)
      onDone?.(answer, form)
    },
    onError: (thrown, sent) => {
      if (asFailure(thrown).status === 401) refused.current = attemptOf?.(sent) ?? null
      showErrors(form, asFailure(thrown))
      showInvalid()
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const failure = mutation.error ? asFailure(mutation.error) : null
  const begin = form.onSubmit(values => {
    if (isUnderWay.current || (attemptOf && attemptOf(values) === refused.current)) return
    isUnderWay.current = true
    mutation.mutate(values)
  }, showInvalid)
  return {
    form,
    ref,
    failure: failure && hasOnlyKnown(failure, form.getValues()) ? null : failure,
    isSending: mutation.isPending,
    answer: mutation.data,
    forget: mutation.reset,
    submit: begin,
  }
}

const hasOnlyKnown = ({ fields }: Failure, values: Values): boolean => {
  const names = Object.keys(fields)
  return names.length > 0 && names.every(name => name.split('.')[0]! in values)
}

export const focusInvalid = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()

interface FormProps<V extends Values> {
  sending: Sending<V, unknown>
  /** The label of the button. */
  action: string
  children: ReactNode
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
