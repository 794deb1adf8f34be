import { PasswordInput, Progress, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { pageText } from '../core/page-text.ts'

export const minPasswordLength = 10

/** From 0 to 3. Length counts most; repetitions, sequences and parts of the account's name count little. */
export function rateStrength(password: string, known: string[] = []): number {
  const own = known.flatMap(words => words.toLowerCase().split(/[\s@.]+/)).filter(word => word.length > 2)
  const plain = own.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase())
  const steps = [...plain].map((letter, at) => letter.charCodeAt(0) - plain.charCodeAt(at - 1))
  const surprising = steps.filter((step, at) => !(Math.abs(step) <= 1 || step === steps[at - 1])).length
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter(kind => kind.test(password)).length
  const score = surprising + kinds
  return [13, 16, 20].filter(least => score >= least).length
}

const colors = ['red', 'orange', 'teal', 'green']

interface Props {
  label?: string
  value?: string
  error?: React.ReactNode
  /** The name and address of the person who will use it. */
  known?: string[]
  isFirst?: boolean
  onChange(event: React.ChangeEvent<HTMLInputElement>): void
}

/** A field for a new password, with advice while typing. */
export function NewPassword({
  label = pageText.users.newPassword,
  value = '',
  error,
  known,
  isFirst,
  onChange,
}: Props) {
  const id = useId()
  const rate = rateStrength(value, known)
  const missing = minPasswordLength - value.length
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        description={pageText.users.passwordAbout}
        autoComplete="new-password"
        aria-describedby={id}
        data-autofocus={isFirst || undefined}
        autoFocus={isFirst}
        visibilityToggleButtonProps={{ 'aria-label': pageText.users.showPassword }}
        value={value}
        error={error}
        onChange={onChange}
      />
      <div id={id} aria-live="polite">
        {value && (
          <>
            <Progress
              value={missing > 0 ? 8 : (rate + 1) * 25}
              color={colors[missing > 0 ? 0 : rate]}
              size={4}
              aria-hidden
            />
            <Text size="sm" c="dimmed" mt={4}>
              {missing > 0
                ? pageText.users.tooShort(missing)
                : `${pageText.users.strength}: ${pageText.users.strengths[rate]}`}
            </Text>
          </>
        )}
      </div>
    </Stack>
  )
}

export const checkPassword = (value: string): string | null =>
  value.length >= minPasswordLength ? null : pageText.users.tooShort(minPasswordLength - value.length)
